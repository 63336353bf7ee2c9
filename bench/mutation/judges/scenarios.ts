/** Judges by the scenarios: their expectations, all properties, and all relations. */

import { loadSources } from '../../../sim/judge/sources.ts'
import { runAndJudge } from '../../../sim/judge/run-and-judge.ts'
import { propertiesOf, type Source } from '../../../sim/judge/source.ts'
import { generatedCount } from '../../../sim/scenario/scenario.ts'
import type { Judge } from './judge.ts'

export const judge: Judge = ({ repository, onProgress }) =>
  Promise.resolve(firstNoticed(repository, onProgress))

function firstNoticed(repository: string, onProgress: () => void): string | null {
  const sources = loadSources(['scenarios'], repository, { settings: [], features: [] })
  for (const source of sources.filter(isFile).sort((a, b) => costOf(a) - costOf(b))) {
    const { scenario } = source
    const { failures } = runAndJudge(scenario, {
      properties: propertiesOf(source, scenario),
      once: true,
    })
    onProgress()
    const [failure] = failures
    if (failure) return `${scenario.name}: ${failure.name}`
  }
  return null
}

type File = Extract<Source, { kind: 'file' }>

const isFile = (source: Source): source is File => source.kind === 'file'

/** Small scenarios first, because most mutants show in one of them. */
const costOf = ({ scenario }: File): number =>
  generatedCount(scenario) + (scenario.pullRequests?.length ?? 0)
