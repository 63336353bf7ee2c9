/** Reads the options of `mergeyard tune`. */

import type { BadInput } from '../../../terminal/bad-input.ts'
import { seedsIn } from '../../../sim/random/seeds.ts'
import type { ParsedOptions } from '../../../terminal/options.ts'
import { priceSettings, amountOf, resubmitAfter, seedRange } from '../../../sim/cli/values.ts'
import { readBudget, type Budget } from '../../tune/search/budget.ts'
import { preferenceNames, type Preference } from '../../tune/figures/wishes.ts'
import { freeAxis, knownAxis, knownAxisNames, type TuneAxis } from '../../tune/settings/axes.ts'
import { otherOptions, type OtherOptions } from './other-options.ts'
import type { QueueAddress } from '../../tune/settings/curl.ts'
import { unprovenKindNames, type UnprovenKind } from '../../tune/settings/unproven.ts'
import type { table } from './usage.ts'

export type TuneOptions = {
  readonly file: string
  /** Another product's queue; null for Mergeyard's. */
  readonly other: OtherOptions | null
  /** The named axes, also those with a single value. */
  readonly axes: readonly TuneAxis[]
  readonly seeds: readonly number[]
  readonly budget: Budget
  /** Search in one round. */
  readonly isOneRound: boolean
  /** Null if none was given. */
  readonly preference: Preference | null
  readonly allowed: readonly UnprovenKind[]
  readonly leastPercent: number
  /** Null if the option was not given; `null` minutes mean never. */
  readonly resubmit: { readonly afterMinutes: number | null } | null
  /** The prices, in the form of --set. */
  readonly prices: readonly string[]
  readonly json: boolean
  readonly report: string | null
  readonly writesFiles: boolean
  readonly address: QueueAddress
}

type Parsed = ParsedOptions<typeof table>

/** Converts the parsed options. Throws `BadInput` for an invalid value. */
export function readTuneOptions(parsed: Parsed): TuneOptions {
  const { text, value, flag } = parsed
  const known = knownAxisNames.flatMap((name) => {
    const list = text(name)
    return list === null ? [] : [knownAxis(name, list)]
  })
  const { other, settings } = otherOptions(parsed, known)
  const [file = ''] = parsed.operands
  const range = seedRange(value('seeds'), (expected) => parsed.fault('seeds', expected))
  return {
    file,
    other,
    axes: [...known, ...settings.map(freeAxis)],
    seeds: [...seedsIn(range)],
    budget: budgetOf(parsed),
    isOneRound: flag('no-drop'),
    preference: preferenceOf(parsed),
    allowed: allowedOf(parsed),
    leastPercent: percentOf(parsed),
    resubmit: resubmitOf(parsed),
    prices: priceSettings(parsed),
    json: flag('json'),
    report: text('report'),
    writesFiles: !flag('no-report'),
    address: addressOf(parsed),
  }
}

function resubmitOf(parsed: Parsed): TuneOptions['resubmit'] {
  const text = parsed.text('resubmit-after')
  if (text === null) return null
  const fault = (expected: string): BadInput => parsed.fault('resubmit-after', expected)
  return { afterMinutes: resubmitAfter(text, fault) }
}

function budgetOf(parsed: Parsed): Budget {
  const budget = readBudget(parsed.value('budget'))
  if (budget) return budget
  throw parsed.fault('budget', 'a time like 90s, 2m or 1h')
}

function preferenceOf(parsed: Parsed): Preference | null {
  const text = parsed.text('prefer')
  const found = preferenceNames.find((name) => name === text) ?? null
  if (text !== null && !found) {
    throw parsed.fault('prefer', 'balance, time, cost, price or safety')
  }
  return found
}

function allowedOf(parsed: Parsed): UnprovenKind[] {
  const text = parsed.value('allow-unproven')
  if (text === 'all') return [...unprovenKindNames]
  if (text === 'none') return []
  return text.split(',').map((each) => {
    const kind = unprovenKindNames.find((name) => name === each)
    if (kind) return kind
    throw parsed.fault('allow-unproven', `all, none, or some of ${unprovenKindNames.join(',')}`)
  })
}

/** The least effect must leave room below 100 %. */
const mostPercent = 90

function percentOf(parsed: Parsed): number {
  const expected = `a percentage from 0 to ${mostPercent}`
  const fault = (): BadInput => parsed.fault('least-effect', expected)
  const percent = amountOf(parsed.value('least-effect'), fault)
  if (percent > mostPercent) throw fault()
  return percent
}

function addressOf(parsed: Parsed): QueueAddress {
  const [host = '', ...path] = (parsed.text('repo') ?? 'github.com/OWNER/REPO').split('/')
  const name = path.at(-1) ?? ''
  const owner = path.slice(0, -1).join('/')
  if (host === '' || owner === '' || name === '') {
    throw parsed.fault('repo', 'host/owner/name, for example github.com/acme/shop')
  }
  return {
    server: parsed.value('server'),
    repo: { host, owner, name },
    branch: parsed.value('branch'),
    isUsualBranch: !parsed.isGiven('branch'),
  }
}
