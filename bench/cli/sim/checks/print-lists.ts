/** `--list`: prints what the simulator checks, draws and plants, each with its sentence. */

import { coverageMarks } from '../../../../sim/coverage-marks/index.ts'
import { defects } from '../../../../sim/defects/index.ts'
import { properties } from '../../../../sim/properties/index.ts'
import { relations } from '../../../../sim/relations/index.ts'
import { allFeatures } from '../../../../sim/swarm/features.ts'
import { exitCodes, type CliContext } from '../../../../terminal/command.ts'
import { writeAll } from '../../../../terminal/output.ts'

type Entry = { readonly name: string; readonly sentence: string }

/** The lists by their name in `--json`, each with a title for readers. */
const lists: Readonly<Record<string, { readonly title: string; readonly of: readonly Entry[] }>> = {
  properties: { title: 'properties, checked at every event', of: properties },
  relations: { title: 'relations, between a run and a changed run', of: relations },
  marks: { title: 'coverage marks, which 1,000 random scenarios must reach', of: coverageMarks },
  defects: { title: 'defects, which --defects plants in the engine', of: defects },
}

/** Prints the lists, as text or as JSON. Returns the exit code. Rule: S-259. */
export async function printLists({ json }: { json: boolean }, context: CliContext) {
  await writeAll(context.stdout, [json ? jsonText() : readersText()])
  return exitCodes.success
}

function jsonText(): string {
  const entries = Object.entries(lists).map(([list, { of }]) => {
    return [list, of.map(({ name, sentence }) => ({ name, sentence }))] as const
  })
  const document = { ...Object.fromEntries(entries), features: allFeatures }
  return `${JSON.stringify(document, null, 2)}\n`
}

function readersText(): string {
  const sections = Object.values(lists).map(({ title, of }) => {
    const lines = of.map(({ name, sentence }) => `  ${name}: ${sentence}\n`)
    return `${of.length} ${title}\n${lines.join('')}`
  })
  const features = allFeatures.map((feature) => `  ${feature}\n`)
  const drawn = `${features.length} features of random scenarios, for --with\n${features.join('')}`
  return [...sections, drawn].join('\n')
}
