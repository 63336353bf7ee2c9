/** The command that simulates the same in a terminal. */

/** `file` is the path of the scenario, `settings` are values for `--set`. */
export function simCommand(file: string, settings: readonly string[]): string {
  const set = settings.map((setting) => ` --set ${quoted(setting)}`)
  return `npm run sim -- ${quoted(file)}${set.join('')}`
}

/** Quoted for a POSIX shell, if it needs to be. */
function quoted(text: string): string {
  return /^[\w./=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
