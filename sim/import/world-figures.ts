/** What a history shows of the world around its queue, and what it does not show. */

import type { Assumption, Measurement, PullRequestEntry } from '../scenario/scenario.ts'
import { weekdays, weekHourOf } from '../scenario/time.ts'
import { count, duration, several } from '../../server/terminal/text.ts'
import { assumedIf, percent } from './sources.ts'
import { clashRateOf, type Clashing } from './clashes.ts'
import { percentile } from '../../server/terminal/percentile.ts'
import type { FailingLength } from '../statistics/run-lengths.ts'

export type WorldFacts = {
  readonly clashing: Clashing | null
  readonly failing: FailingLength | null
  /** When each pull request was submitted, in milliseconds since 1970. */
  readonly times: readonly number[]
  /** The ages of the bases of some, in minutes; empty if no history tells. */
  readonly baseAges: readonly number[]
}

export function measuredOf({ failing, times, baseAges, clashing }: WorldFacts): Measurement[] {
  const shares = weekdays.map((day) => `${day} ${percent(inDay(times, day), times.length)}`)
  return [
    ...(failing
      ? [
          {
            what: 'failing runs',
            value: `${failing.ratio} times as long as passing ones, in the median`,
            samples: `${several(failing.failed, 'run')} that failed, ${count(failing.passed)} that passed`,
          },
        ]
      : []),
    ...measured('weekdays', shares.join(', '), times.length, 'pull request'),
    ...measured('age of the base', spread(baseAges), baseAges.length, 'merge'),
    ...(clashing
      ? [
          {
            what: 'clashes',
            value: `${percent(clashing.clashed.size, clashing.merges)} broke the branch although their own run had passed, ${clashRateOf(clashing)} for each that landed in between`,
            samples: `${several(clashing.merges, 'merge')}, ${several(clashing.pairs, 'pair')}`,
          },
        ]
      : []),
  ]
}

/** A figure without samples is missing. */
export const measured = (what: string, value: string, samples: number, of: string): Measurement[] =>
  samples === 0 ? [] : [{ what, value, samples: several(samples, of) }]

export function lengthMeasured(minutes: readonly number[]): Measurement[] {
  return measured('run length', spread(minutes), minutes.length, 'run')
}

export function targetsMeasured(entries: readonly PullRequestEntry[]): Measurement[] {
  const known = entries.filter(({ targets }) => targets !== undefined)
  const names = known.flatMap(({ targets }) => (typeof targets === 'object' ? targets : []))
  const value = `${count(new Set(names).size)}: the top-level folders that pull requests change`
  return measured('targets', value, known.length, 'pull request')
}

export function spread(minutes: readonly number[], word = 'below'): string {
  const [half, most] = [50, 95].map((each) => duration(percentile(minutes, each)))
  return `half ${word} ${half}, 95 % ${word} ${most}`
}

const inDay = (times: readonly number[], day: string): number =>
  times.filter((time) => weekHourOf(time).weekday === day).length

export function assumedOfWorld({
  failing,
  baseAges,
  clashing,
}: Omit<WorldFacts, 'times'>): Assumption[] {
  return [
    ...assumedIf(
      failing === null,
      'failing runs',
      'as long as passing ones, for too few of both have a length',
      '--set suite.minutesFailing=<ratio>',
    ),
    ...assumedIf(
      clashing === null,
      'clashes',
      'none, for nothing tells what passed alone and broke the branch',
      `--set 'traffic={"count":0,"clashRate":<rate>}'`,
    ),
    ...assumedIf(
      baseAges.length === 0,
      'age of the base',
      'not known; it matters only with clashes',
      '--set traffic.baseAge=<minutes>, with a clashRate',
    ),
    {
      what: 'waits for a runner',
      value: 'none of their own: they are a part of the lengths of runs',
      replace: '--set suite.startDelay.minutes=<n>',
    },
  ]
}
