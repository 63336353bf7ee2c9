/** Figures that others published, beside those of this simulator. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { html } from '../../sim/html/html.ts'
import { pageText } from '../../sim/html/page.ts'
import { tiles } from '../../sim/html/components.ts'
import { htmlSection } from '../../sim/html/table-section.ts'
import { batchTesting, survivorsOfBatches } from '../calibration/batch-testing.ts'
import { mergeQueues, queueSimulator, retries } from '../calibration/chain-simulators.ts'
import { groupTesting, queueing } from '../calibration/theory.ts'
import { sourceSection } from './document.ts'
import { atLeast, measured, spreadOf, target } from './measurement.ts'
import type { Benchmark, Effort, Figure } from './measurement.ts'
import type { Source } from '../calibration/published-figure.ts'

export const calibration: Benchmark = {
  name: 'calibration',
  title: 'published figures, reproduced: queueing theory, group testing, other simulators, studies',
  async measure({ isQuick, traces, progress, signal }) {
    const published: Source[] = []
    for (const source of sourcesIn({ traces, isQuick })) {
      published.push(source)
      progress(source.title)
      await nextTurn()
      if (signal.aborted) break
    }
    const figures = published.flatMap(agreementIn)
    const all = spreadOf([agreeing(published)])
    return measured({
      figures,
      published,
      targets: [target('figures under the same rules that agree', 'share', all, atLeast(1))],
      notes: ['a figure agrees if it is equal, or inside the 99.5 % interval of our seeds'],
    })
  },
}

/** Yields one source after another, so that a caller can show progress or stop. */
function* sourcesIn({ traces, isQuick }: Pick<Effort, 'traces' | 'isQuick'>): Generator<Source> {
  yield queueing(isQuick)
  yield groupTesting(isQuick)
  yield mergeQueues(isQuick)
  yield queueSimulator(isQuick)
  yield retries(isQuick)
  yield batchTesting(traces, isQuick)
  yield survivorsOfBatches(traces, isQuick)
}

/** The share of the figures of a source that agree; none if its rules differ in all of them. */
function agreementIn(source: Source): Figure[] {
  return asked([source]).length === 0
    ? []
    : [{ name: `${source.title}: agree`, unit: 'share', value: spreadOf([agreeing([source])]) }]
}

function agreeing(sources: readonly Source[]): number {
  const figures = asked(sources)
  return figures.filter(({ agreement }) => agreement !== 'differs').length / figures.length
}

/** The figures that must agree, because the rules are the same. */
function asked(sources: readonly Source[]): Source['figures'] {
  return sources.flatMap(({ figures }) => figures).filter((each) => each.agreement !== 'not asked')
}

/** Returns the page of published figures, with one section for each source. */
export function calibrationPage(sources: readonly Source[]): string {
  const figures = sources.flatMap((source) => source.figures)
  const judged = asked(sources)
  const differing = judged.filter(({ agreement }) => agreement === 'differs')
  return pageText({
    title: 'Calibration',
    head: html`
      <p>
        Figures that others published, beside the same figures of this simulator. Each row says why
        the two agree or differ.
      </p>
      ${tiles([
        { name: 'agree', value: judged.length - differing.length, tone: 'good' },
        {
          name: 'differ under the same rules',
          value: differing.length,
          tone: differing.length > 0 ? 'bad' : null,
        },
        { name: 'other rules, explained', value: figures.length - judged.length },
      ])}
    `,
    sections: sources.map(sourceSection).map(htmlSection),
  })
}
