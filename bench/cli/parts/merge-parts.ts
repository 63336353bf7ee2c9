/** `merge` of parts that hold the answers of their tasks. */

import { resolve } from 'node:path'
import { onCores, type Spreading } from '../../../sim/campaign/over-cores.ts'
import { answeringFrom } from '../../../sim/campaign/answers.ts'
import { refuseUnfit } from '../../../sim/campaign/parts/part.ts'
import { readAnswers } from '../../../sim/campaign/read-answers.ts'
import { BadInput } from '../../../sim/scenario/bad-input.ts'
import { startFolder, type CliContext } from '../../../sim/terminal/context.ts'
import type { OptionTable, Usage } from '../../../sim/terminal/option-table.ts'
import { parseOptions, type ParsedOptions } from '../../../sim/terminal/parse-options.ts'
import { campaignArguments } from './campaign-arguments.ts'

/** A command of which `--shard` runs a part. */
export type CommandInParts<Table extends OptionTable> = {
  readonly usage: Usage<Table>
  readonly run: (
    parsed: ParsedOptions<Table>,
    context: CliContext,
    spreading: Spreading,
  ) => Promise<number>
}

/** The options of every merge. */
export const mergeTable = {
  json: { kind: 'flag', help: 'print only the result document, as JSON, to standard output' },
  report: { kind: 'value', value: 'folder', help: 'report folder, as without parts' },
  'no-report': { kind: 'flag', help: 'write no files' },
} as const satisfies OptionTable

/** Runs the command of the parts again, with their answers. Throws `BadInput` if they do not fit. */
export async function mergeParts<Table extends OptionTable>(
  { usage, run }: CommandInParts<Table>,
  merge: ParsedOptions<typeof mergeTable>,
  context: CliContext,
): Promise<number> {
  const from = startFolder(context.env)
  const parts = merge.operands.map((file) => ({ file, ...readAnswers(resolve(from, file), file) }))
  refuseUnfit(parts)
  const [command = '', ...campaign] = parts[0]?.part.campaign ?? []
  const parsed =
    command === usage.command
      ? parseOptions(usage, [...outputArguments(merge), ...campaign], context.env)
      : null
  // The command line comes from a file, so it may hold nothing that parts would not write.
  if (!parsed || campaignArguments(usage.table, parsed).join('\n') !== campaign.join('\n')) {
    const actual = `mergeyard ${[command, ...campaign].join(' ')}`
    const expected = `parts of mergeyard ${usage.command}`
    throw new BadInput(parts[0]?.file ?? '', [{ where: '/part/campaign', expected, actual }])
  }
  return run(parsed, context, { ...onCores, inParts: answeringFrom(parts) })
}

function outputArguments({ flag, text }: ParsedOptions<typeof mergeTable>): string[] {
  const report = text('report')
  return [
    ...(flag('json') ? ['--json'] : []),
    ...(report === null ? [] : [`--report=${report}`]),
    ...(flag('no-report') ? ['--no-report'] : []),
  ]
}
