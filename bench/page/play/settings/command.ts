/** The command that simulates the same in a terminal, and prints the hash of the trace. */

/** `file` is the path of the scenario, `settings` are values for `--set`. */
export function simCommand(file: string, settings: readonly string[]): string {
  const set = settings.map((setting) => ` --set ${quoted(setting)}`)
  return `npm run -s sim -- ${quoted(file)}${set.join('')} --json --no-report`
}

/** Quoted for a POSIX shell, if it needs to be. */
function quoted(text: string): string {
  return /^[\w./=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
