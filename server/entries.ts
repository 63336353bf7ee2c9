/** What `import 'mergeyard'` says: the package has an entry for each purpose, and none for all. */

/** The entries, each with what it is for. */
export const entries = [
  'mergeyard/client     calls the HTTP API of a server, with types',
  'mergeyard/server     a whole server in your process',
  'mergeyard/engine     the queue itself, without clock and network',
  'mergeyard/sim        simulates scenarios, and checks properties',
  'mergeyard/arbitrary  scenarios for fast-check',
]

throw new Error(
  `mergeyard has no entry of its own. Import one of these, or run npx mergeyard --help:\n${entries.join('\n')}`,
)
