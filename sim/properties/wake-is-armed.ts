import TinyQueue from 'tinyqueue'
import type { Configuration, GroupId, Millis, TestRun, TestRunId } from '../../engine/index.ts'
import { batchSize } from '../ledger/batch-size.ts'
import { fillingGroups } from '../ledger/filling-groups.ts'
import type { Projections } from '../ledger/ledger.ts'
import type { LineGroup } from '../ledger/line-group.ts'
import { retryAt } from '../ledger/retries.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { minute } from './wording.ts'

const minuteMs = 60_000

/** Beside pull requests that are tested alone, lanes are checked only while no more wait. */
const waitingAtMost = 100

type Deadline = { readonly testRun: TestRunId; readonly at: Millis }
type Retry = { readonly run: TestRun; readonly at: Millis }
type DueWork = { readonly what: string; readonly numbers: readonly number[] }

/**
 * Rules: E-8. A queue that receives no command continues only because of wake-ups. So everything
 * that falls due later needs a wake-up at that time or before, and everything that has fallen due
 * has been acted upon.
 */
export const wakeIsArmed: Property = {
  name: 'wake-is-armed',
  sentence:
    'Whenever the queue is at rest, a wake-up is armed for the earliest timeout, retry or end of a wait or hold, and none is overdue.',
  watch({ check, ledger }) {
    const { waiting, settings, runs } = ledger
    const armed = new TinyQueue<Millis>([], (a, b) => a - b)
    const deadlines = new TinyQueue<Deadline>([], (a, b) => a.at - b.at)
    /** Lost runs of bisections that are to be repeated. */
    const retries = new TinyQueue<Retry>([], (a, b) => a.at - b.at)

    /** Groups that wait, or waited, to repeat a lost run. */
    const repeating = new Set<GroupId>()

    /** The longest wait of each held failure for successors without a run. */
    const holds = new Map<GroupId, Millis>()

    const nextDeadline = (): Deadline | undefined => {
      for (;;) {
        const next = deadlines.peek()
        if (!next || runs.underWay.has(next.testRun)) return next
        deadlines.pop()
      }
    }
    /**
     * Whether a run is repeated: not when it holds a member that left, nor when its result is not
     * needed any more.
     */
    const isWanted = ({ owner, tested }: TestRun): boolean => {
      if (owner.kind === 'main') return true
      const bisectionRecord = ledger.bisections.all.get(owner.bisection)
      const last = tested.at(-1)
      if (!bisectionRecord || bisectionRecord.hasLostMember || last === undefined) return false
      return bisectionRecord.open.includes(last)
    }
    const nextBisectionRetry = (at: Millis): Retry | undefined => {
      for (;;) {
        const next = retries.peek()
        if (!next || (next.at > at && isWanted(next.run))) return next
        retries.pop()
      }
    }
    const review = (at: Millis, point: Point, describe: () => DueWork): void => {
      check(at > point.at && (armed.peek() ?? Infinity) <= at, point, () => {
        const { what, numbers } = describe()
        const [now, then] = [minute(point.at), minute(at)]
        return {
          story:
            at <= point.at
              ? `At ${now} nothing had been done, although at ${then} ${what}.`
              : `At ${then} ${what}, but at ${now} the queue is at rest with no wake-up by then.`,
          pullRequests: numbers,
        }
      })
    }
    const reviewDeadline = (point: Point): void => {
      const next = nextDeadline()
      if (!next) return
      review(next.at, point, () => ({
        what: `run ${next.testRun} times out`,
        numbers: runs.underWay.get(next.testRun)?.run.tested ?? [],
      }))
    }
    const reviewRetries = (point: Point): void => {
      if (settings.state === 'PAUSED') return
      const group = nextRetry(ledger, repeating, point.at)
      const dueAt = group?.notBefore ?? null
      if (group && dueAt !== null) {
        const what = 'a lost run is to be repeated'
        review(dueAt, point, () => ({ what, numbers: group.members }))
      }
      const next = ledger.bisections.all.size > 0 ? nextBisectionRetry(point.at) : undefined
      if (!next) return
      const { id, tested } = next.run
      review(next.at, point, () => ({
        what: `run ${id}, which was lost, is to be repeated`,
        numbers: tested,
      }))
    }
    const reviewWait = (point: Point): void => {
      const { batch, batchingMaxWaitTimeMinutes, concurrency } = settings.configuration
      const mayFill = batch && settings.state === 'RUNNING' && runs.taken.main < concurrency
      if (!mayFill || waiting.pending === 0) return
      const since = fillingSince(ledger, settings.configuration)
      if (since === Infinity) return
      review(since + batchingMaxWaitTimeMinutes * minuteMs, point, () => ({
        what: 'the wait for a full batch ends',
        numbers: waiting.first(waiting.pending).map(({ number }) => number),
      }))
    }
    const reviewHolds = (point: Point): void => {
      for (const [id, until] of holds) {
        const group = ledger.line.group(id)
        // What must have been done at that instant is said by hold-respected.
        if (group?.status !== 'failed' || until <= point.at) {
          holds.delete(id)
          continue
        }
        review(until, point, () => ({
          what: 'the longest wait for successors ends',
          numbers: group.members,
        }))
      }
    }

    return {
      on: {
        testRunStarted({ run }, { at }) {
          const { testingTimeoutMinutes } = settings.configuration
          deadlines.push({ testRun: run.id, at: at + testingTimeoutMinutes * minuteMs })
        },
        testRunFinished({ testRun, outcome }, { at }) {
          const run = runs.underWay.get(testRun)?.run
          const again = run && outcome === 'errored' ? retryAt(run, at) : null
          if (run?.owner.kind !== 'bisection' || again === null) return
          if (!ledger.secondLooks.isGivenUp(run)) retries.push({ run, at: again })
        },
        holdStarted: ({ group, heldUntil }) => void holds.set(group, heldUntil),
        groupRestarted({ group, retry }) {
          holds.delete(group)
          if (retry !== null) repeating.add(group)
        },
        wakeScheduled: ({ wakeAt }) => armed.push(wakeAt),
      },
      atCommand({ at, step }) {
        if (step.command.type !== 'wake') return
        while (armed.length > 0 && (armed.peek() ?? 0) <= at) armed.pop()
      },
      atRest(point) {
        reviewDeadline(point)
        reviewRetries(point)
        reviewHolds(point)
        reviewWait(point)
      },
    }
  },
}

/** Since when the first of those that fill a batch has waited; one tested alone fills none. */
function fillingSince(ledger: Projections, { mode }: Configuration): Millis {
  const { waiting } = ledger
  if (waiting.pendingAlone === 0) return waiting.pendingSince
  if (mode === 'parallel' && waiting.pending > waitingAtMost) return Infinity
  const filling = fillingGroups(ledger, batchSize(ledger)).flatMap(({ members }) => members)
  return Math.min(...filling.map(({ pendingSince }) => pendingSince ?? Infinity))
}

/** The first group to be started again, of those that wait to repeat a run. */
function nextRetry({ line }: Projections, repeating: Set<GroupId>, at: Millis): LineGroup | null {
  let next: LineGroup | null = null
  for (const id of repeating) {
    const group = line.group(id)
    const instant = group?.status === 'waiting' ? group.notBefore : null
    if (!group || instant === null) repeating.delete(id)
    else if (instant > at && instant < (next?.notBefore ?? Infinity)) next = group
  }
  return next
}
