/** `mergeyard doctor`: looks whether a repository and this machine have what a queue needs. */

import { commandOf, exitCodes } from '../../../terminal/command.ts'
import type { OptionTable, Usage } from '../../../terminal/options.ts'
import { writeAll } from '../../../terminal/output.ts'
import { columns } from '../../../terminal/text.ts'
import { dataOption, dataPathOf, jsonOption } from '../admin/data-folder.ts'
import { hostingIn, repositoryTable } from '../serve/options.ts'
import type { Check } from './check.ts'
import { checksOf } from './checks.ts'

const table = { ...repositoryTable, ...dataOption, ...jsonOption } as const satisfies OptionTable

const usage: Usage<typeof table> = {
  command: 'doctor',
  npm: 'npm run mergeyard -- doctor',
  about: `Look whether a repository and this machine have what a queue needs. Takes the options of serve,
and changes nothing.

  mergeyard doctor --repo ../shop.git --test "npm test"
  mergeyard doctor --github acme/shop
  mergeyard doctor --config mergeyard.json`,
  table,
  more: 'Exit codes: 0 all is well, 1 something is missing, 2 wrong arguments.\n',
}

export const main = commandOf(usage, async (parsed, { stdout, env }) => {
  const data = dataPathOf(parsed, env)
  const checks = await checksOf(hostingIn('doctor', parsed, env), data)
  const rows = checks.map((check) => [resultOf(check), check.what, check.words])
  const text = parsed.flag('json') ? `${JSON.stringify(checks)}\n` : columns(rows)
  await writeAll(stdout, [text])
  return checks.every(({ isOk }) => isOk) ? exitCodes.success : exitCodes.failure
})

function resultOf({ isOk, isNote }: Check): string {
  if (isNote) return 'note'
  return isOk ? 'ok' : 'FAULT'
}
