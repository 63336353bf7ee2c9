/** Which runs a history needs. */

import type { GitHubRecords, Pull } from '../../../../../sim/import/github/records.ts'
import { signalsOf, type Signal } from '../../../../../sim/import/github/signals.ts'

/** Runs of one event, on one branch if it has one, from the first to the last instant. */
export type RunQuery = {
  readonly name: string
  readonly event: string
  readonly branch: string | null
  readonly fromMs: number
  readonly toMs: number
}

export type WantedRuns = {
  readonly queries: readonly RunQuery[]
  /** The commits of pull requests that no queue tested. */
  readonly commits: readonly string[]
}

const dayMs = 86_400_000

export function wantedRuns(
  { pulls, timelines }: GitHubRecords,
  queueLabel: string | null,
): WantedRuns {
  const all = pulls.map((pull) => ({
    pull,
    signals: signalsOf(pull, timelines.get(pull.number) ?? [], queueLabel),
  }))
  const queued = all.filter(({ signals }) => begins(signals, 'merge queue'))
  const others = all.filter(({ signals }) => !begins(signals, 'merge queue'))
  const commanded = others.filter(({ signals }) => begins(signals, 'comment'))
  const merged = others.filter(({ pull }) => pull.merged_at !== null)
  const branch = pulls[0]?.base.ref ?? null
  return {
    queries: [
      ...query('merge_group', null, queued),
      ...query('push', 'staging', commanded),
      ...query('push', 'auto', commanded),
      ...(branch === null ? [] : query('push', branch, merged)),
    ],
    commits: [...new Set(others.flatMap(({ pull, signals }) => commitsOf(pull, signals)))],
  }
}

type Known = { readonly pull: Pull; readonly signals: readonly Signal[] }

function begins(signals: readonly Signal[], kind: string): boolean {
  return signals.some((signal) => signal.is === 'begin' && signal.kind === kind)
}

/** A day more on each side: for the run before the first merge, and for what was repeated later. */
function query(event: string, branch: string | null, about: readonly Known[]): RunQuery[] {
  const times = about.flatMap(({ pull, signals }) => [
    ...signals.flatMap(({ is, atMs }) => (is === 'begin' ? atMs : [])),
    Date.parse(pull.merged_at ?? pull.closed_at ?? pull.created_at),
  ])
  if (times.length === 0) return []
  const fromMs = times.reduce((least, atMs) => Math.min(least, atMs)) - dayMs
  const toMs = times.reduce((most, atMs) => Math.max(most, atMs)) + dayMs
  return [{ name: branch === null ? event : `${event}-${branch}`, event, branch, fromMs, toMs }]
}

/** The head, and for one that was submitted earlier all commits since then. */
function commitsOf(pull: Pull, signals: readonly Signal[]): string[] {
  const first = signals.findIndex((signal) => signal.is === 'begin' && signal.kind !== 'approval')
  const before = signals.slice(0, Math.max(0, first)).findLastIndex(({ is }) => is === 'push')
  const since = first === -1 ? [] : signals.slice(before === -1 ? first : before)
  const pushed = since.flatMap((signal) => (signal.is === 'push' ? (signal.sha ?? []) : []))
  return [...pushed, pull.head.sha]
}
