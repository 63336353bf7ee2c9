/** The command that simulates the same in a terminal, and prints the hash of the trace. */

import { shellWord } from '../../../../server/terminal/text.ts'

/** `file` is the path of the scenario, `settings` are values for `--set`. */
export function simCommand(file: string, settings: readonly string[]): string {
  const set = settings.map((setting) => ` --set ${shellWord(setting)}`)
  return `npm run -s sim -- ${shellWord(file)}${set.join('')} --json --no-report`
}
