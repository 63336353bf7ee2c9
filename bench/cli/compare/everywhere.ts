/**
 * `mergeyard compare everywhere`: the one setting that Mergeyard proposes, against every queue at its
 * defaults and at its best, in every place. Each comparison is written as soon as it is done, and is
 * not made again by the same build with the same options.
 */

import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Spreading } from '../../../sim/campaign/over-cores.ts'
import { build } from '../../../sim/campaign/parts/build.ts'
import { inputOf } from '../../../sim/campaign/parts/part.ts'
import { commandOf } from '../../../sim/terminal/command.ts'
import { exitCodes, startFolder, type CliContext } from '../../../sim/terminal/context.ts'
import { writeAll } from '../../../sim/terminal/output.ts'
import { badUsage } from '../../../sim/terminal/parse-options.ts'
import { refuseUnwritable } from '../../../sim/terminal/refuse-unwritable.ts'
import { reportFolder, writeReport } from '../../../sim/terminal/report-files.ts'
import { placesOf } from '../../goals/places.ts'
import { proposed } from '../../goals/proposed.ts'
import type { JudgedPlace } from '../../goals/standing.ts'
import { goalsText } from '../../goals/text.ts'
import { spreadOver } from '../parts/spread-over.ts'
import { everywhereOptionsOf, everywhereUsage, type EverywhereOptions } from './everywhere-usage.ts'
import { judgedPlace, type Wanted } from './judge-place.ts'

export const everywhere = commandOf(everywhereUsage, (parsed, context) =>
  spreadOver(parsed, everywhereUsage.command, context, (spreading) =>
    compareEverywhere(
      { ...everywhereOptionsOf(parsed), report: parsed.text('report') },
      context,
      spreading,
    ),
  ),
)

async function compareEverywhere(
  options: EverywhereOptions & { readonly report: string | null },
  context: CliContext,
  spreading: Spreading,
): Promise<number> {
  const from = startFolder(context.env)
  const folder = reportFolder('everywhere', options.report, from)
  refuseUnwritable(folder)
  const wanted = wantedIn(options, from)
  const found: JudgedPlace[] = []
  for (const [index, each] of wanted.entries()) {
    const { file, key } = { file: fileOf(each), key: keyOf(each, options) }
    const before = doneBefore(join(folder, file), key)
    if (before) found.push(before)
    if (before || index % options.shard.of !== options.shard.index - 1) continue
    const place = await judgedPlace(each, options, { ...context, spreading })
    if (!place) return exitCodes.interrupted
    writeReport(folder, { [file]: [`${JSON.stringify({ key, place }, null, 2)}\n`] })
    found.push(place)
  }
  const left = wanted.length - found.length
  const rest = left === 0 ? '' : `${left} of ${wanted.length} comparisons are left\n`
  await writeAll(context.stdout, [goalsText(found), rest, `report  ${folder}\n`])
  return exitCodes.success
}

/** Throws `BadInput` if there is no place of such a name. */
function wantedIn({ traces, only, models }: EverywhereOptions, from: string): Wanted[] {
  const all = placesOf(traces === null ? null : resolve(from, traces))
  const names = all.map(({ name }) => name)
  const unknown = only.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    throw badUsage(everywhereUsage.command, `--only ${unknown}`, `one of ${names.join('; ')}`)
  }
  return all
    .filter(({ name }) => only.length === 0 || only.includes(name))
    .flatMap((scenario) => models.map((lengths): Wanted => ({ scenario, lengths })))
}

const fileOf = ({ scenario, lengths }: Wanted): string =>
  `${`${scenario.name}-${lengths}`.replaceAll(/[^A-Za-z0-9._-]+/g, '-')}.json`

/** Whatever could change the result. */
const keyOf = (wanted: Wanted, { seeds, budget }: EverywhereOptions): string =>
  inputOf({ wanted, seeds, budget, proposed, build: build() })

function doneBefore(path: string, key: string): JudgedPlace | null {
  if (!existsSync(path)) return null
  const text = readFileSync(path, 'utf8')
  const done: { readonly key?: string; readonly place: JudgedPlace } = JSON.parse(text)
  return done.key === key ? done.place : null
}
