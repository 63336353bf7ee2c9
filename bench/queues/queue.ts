/** What is known of another product's queue: its policy, its parameters, and its configuration. */

import type { Millis } from '../../engine/index.ts'

// The parameters of a queue, with the names, ranges and defaults that its owner documents.

export type Value = number | string | boolean | null

/** The values of all parameters, by the owner's names. */
export type Values = Readonly<Record<string, Value>>

export type Parameter = {
  readonly name: string
  /** The name in reports. */
  readonly title: string
  readonly unit: string
  /** The owner's default. */
  readonly usual: Value
  /**
   * The values to search, given the slots of the scenario; empty if the parameter has no effect on
   * the model and is only printed.
   */
  readonly ladder: (slots: number) => readonly Value[]
  /** The valid values, for error messages. */
  readonly expected: string
  /** Parses a value. Returns null for an invalid one. */
  readonly read: (text: string) => { readonly value: Value } | null
}

type Naming = { readonly title: string; readonly unit?: string }

type WholeOptions = Naming & {
  /** What the owner accepts; any from 1 on if left out. */
  readonly accepted?: WholeRange
  readonly usual: number
  readonly ladder?: readonly number[]
}

export function whole(name: string, options: WholeOptions): Parameter {
  const { title, unit = '', accepted = wholeFrom(1), usual, ladder = [] } = options
  const { least: from, most: to } = accepted
  const expected =
    to === Infinity ? `whole numbers from ${from}` : `whole numbers from ${from} to ${to}`
  const read = (text: string): { readonly value: number } | null => {
    const isValid = /^\d{1,9}$/.test(text) && Number(text) >= from && Number(text) <= to
    return isValid ? { value: Number(text) } : null
  }
  return { name, title, unit, usual, ladder: () => ladder, expected, read }
}

/** A whole number that limits concurrent runs. More than twice the scenario's slots are not tried. */
export function slotCount(name: string, options: WholeOptions): Parameter {
  const { ladder = [] } = options
  return {
    ...whole(name, options),
    ladder: (slots) => ladder.filter((value) => value <= mostSlots(slots)),
  }
}

/** The most runs at once in a search: the same as that of Mergeyard's own concurrency. */
export function mostSlots(slots: number): number {
  return 2 * slots
}

/** A whole number from 1 on, or `none` for no limit. */
export function wholeOrNone(
  name: string,
  options: Naming & { readonly ladder: Parameter['ladder'] },
): Parameter {
  const { ladder, ...naming } = options
  const number = whole(name, { ...naming, usual: 1 })
  return {
    ...number,
    usual: null,
    ladder,
    expected: `${number.expected}, or none`,
    read: (text) => (text === 'none' ? { value: null } : number.read(text)),
  }
}

export function choice(
  name: string,
  options: {
    readonly title: string
    readonly accepted: readonly string[]
    readonly usual: string
    readonly isSearched?: boolean
  },
): Parameter {
  const { title, accepted: values, usual, isSearched = true } = options
  return {
    name,
    title,
    unit: '',
    usual,
    ladder: () => (isSearched ? values : []),
    expected: values.join(', '),
    read: (text) => (values.includes(text) ? { value: text } : null),
  }
}

export function onOff(name: string, title: string, usual: boolean): Parameter {
  return {
    name,
    title,
    unit: '',
    usual,
    ladder: () => [false, true],
    expected: 'on, off',
    read: (text) => (text === 'on' || text === 'off' ? { value: text === 'on' } : null),
  }
}

/** The owner's defaults. */
export function usualValues({ parameters }: { readonly parameters: readonly Parameter[] }): Values {
  return Object.fromEntries(parameters.map(({ name, usual }) => [name, usual]))
}

/** Returns a value as `read` parses it. */
export function labelOfValue(value: Value): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return value === null ? 'none' : String(value)
}

export function numberIn(values: Values, name: string): number {
  const value = values[name]
  if (typeof value === 'number') return value
  throw new Error(`${name} is not a number`)
}

export function numberOrNoneIn(values: Values, name: string): number | null {
  return values[name] === null ? null : numberIn(values, name)
}

// What the owner of a queue accepts.

type WholeRange = { readonly least: number; readonly most: number }

export const wholeFrom = (least: number, most = Infinity): WholeRange => ({ least, most })

// The interface between a merge queue's policy and the simulated world. A policy receives
// submissions and results of runs, and decides what is tested, merged and evicted. Policies model
// known queues, so that they can be compared on the same pull requests, run lengths and flakes.

/** One test run of the current branch, then `base`, then `tested`, in this order. */
export type PolicyRun = {
  readonly id: number
  readonly base: readonly number[]
  readonly tested: readonly number[]
}

/** What a policy can read and do. All actions take effect at once, at the current instant. */
export type Host = {
  readonly now: () => Millis
  /** How many more runs may start now. */
  readonly freeSlots: () => number
  /** Starts a run, and calls `onVerdict` if nobody cancels it. Throws if no slot is free. */
  start(run: Omit<PolicyRun, 'id'>, onVerdict: (hasPassed: boolean) => void): PolicyRun
  /** Cancels a run. Its minutes so far count as cost. */
  cancel(run: PolicyRun): void
  /** Merges these pull requests, in order. */
  merge(numbers: readonly number[]): void
  /** Returns those that leave with it because they depend on it; the policy forgets them too (S-362). */
  evict(number: number, cause: 'tests' | 'conflict'): readonly number[]
  /** All in the queue that it depends on, directly or through others. */
  below(number: number): readonly number[]
  /** True if the pull request has no text conflict with the branch and `ahead`. */
  mergesOn(number: number, ahead: readonly number[]): boolean
  /** True if its author asked for no batch with other pull requests. */
  isAlone(number: number): boolean
  /** Makes the simulation call `advance` at this instant. */
  wakeAt(at: Millis): void
  /** The truth about a composition. Only an oracle may use it. */
  readonly failsAlways: (composition: readonly number[]) => boolean
}

export type Policy = {
  /** Whether one can be submitted while what it depends on is in the queue, or only when that has merged. */
  readonly takesStacks: boolean
  submitted(number: number): void
  /** Takes all decisions that are possible now. Called after every event. */
  advance(): void
}

export type MakePolicy = (host: Host) => Policy

/** What is tested by one run at a time. */
export type Tested = {
  run: PolicyRun | null
  verdict: 'none' | 'passed' | 'failed' | 'conflict'
}

/** What nobody has tested yet. */
export const untested = { run: null, verdict: 'none' } as const

/** Starts a run whose verdict is that of the item. */
export function startTest(host: Host, item: Tested, run: Omit<PolicyRun, 'id'>): void {
  item.run = host.start(run, (hasPassed) => {
    item.run = null
    item.verdict = hasPassed ? 'passed' : 'failed'
  })
}

/** Cancels the run of an item, and forgets its verdict. */
export function forgetTest(host: Host, item: Tested): void {
  if (item.run) host.cancel(item.run)
  Object.assign(item, untested)
}

export type OtherQueueName = 'github' | 'gitlab' | 'mergify' | 'bors' | 'zuul'

export type ConfigurationPlace = {
  readonly repo: { readonly host: string; readonly owner: string; readonly name: string }
  /** Null for the default branch. */
  readonly branch: string | null
}

export type QueueConfiguration = {
  /** The file or the request that takes the text. */
  readonly target: string
  readonly language: 'json' | 'yaml' | 'toml' | 'shell'
  readonly text: string
  /** How to apply it, and what to keep of an existing configuration. */
  readonly apply: readonly string[]
  /** The published text and version that its names and ranges were checked against. */
  readonly checked: string
}

export type OtherQueue = {
  readonly name: OtherQueueName
  readonly title: string
  /** The source of the model, and what it leaves out. */
  readonly after: string
  readonly leavesOut: string
  readonly parameters: readonly Parameter[]
  /**
   * Gives values without effect those of `fallback`, and brings contradicting ones in line. Settings
   * that act alike become equal.
   */
  readonly normal: (values: Values, fallback: Values) => Values
  /** The kinds of merges without a run of exactly that tree that it can make. */
  readonly kinds: (values: Values) => readonly ('mid-batch' | 'cleared-by-successor')[]
  /** How many runs it starts at once; null if only the runners limit that. */
  readonly slots: (values: Values) => number | null
  readonly policy: (values: Values) => MakePolicy
  readonly configuration: (values: Values, place: ConfigurationPlace) => QueueConfiguration
}
