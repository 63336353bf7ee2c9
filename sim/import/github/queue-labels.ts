/** Labels that submit a pull request. */

/** What queues and bots use by default; case, spaces, dashes and underscores do not matter. */
const usual = new Set(['automerge', 'mergequeue', 'queue', 'readytomerge', 'mergewhengreen'])

/** `wanted` is the label of the team, if it has another. */
export function isQueueLabel(name: string | undefined, wanted: string | null): boolean {
  if (name === undefined) return false
  return (
    name === wanted || (wanted === null && usual.has(name.toLowerCase().replaceAll(/[\s_:-]/g, '')))
  )
}
