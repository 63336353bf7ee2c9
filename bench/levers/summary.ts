/** The levers over all queues: how they change time and cost, as figures of the benchmark. */

import { centreOf } from '../../sim/statistics/interval.ts'
import type { LeverStudy } from '../measuring/lever-study.ts'
import type { Figure } from '../measuring/measurement.ts'
import { spreadOf } from '../measuring/spread.ts'

const summed = { p95: 'p95', ciMinutes: 'CI minutes' } as const

/** Returns the ratios of each lever over the archetypes: the median, the least and the most. */
export function summaryOf(studies: readonly LeverStudy[]): Figure[] {
  return distinct(studies.map(({ setting }) => setting)).flatMap((setting) => {
    const changed = studies
      .filter((study) => study.setting === setting)
      .flatMap(({ rows }) => rows.filter(({ effects }) => effects !== null))
    return distinct(changed.map(({ lever }) => lever)).flatMap((lever) =>
      (['p95', 'ciMinutes'] as const).flatMap((name): Figure[] => {
        const ratios = changed
          .filter((row) => row.lever === lever)
          .flatMap(({ effects }) => effects?.[name] ?? [])
          .flatMap(({ measure, size }) => (measure === 'ratio' ? [centreOf(size)] : []))
        if (ratios.length === 0) return []
        const title = `${setting}, ${lever}: ${summed[name]}`
        return [{ name: title, unit: 'times', value: spreadOf(ratios) }]
      }),
    )
  })
}

const distinct = (names: readonly string[]): string[] => [...new Set(names)]
