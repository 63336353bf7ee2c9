import TinyQueue from 'tinyqueue'
import type { Millis, TestRun, TestRunId } from '../../engine/index.ts'
import type { LineGroup } from './model/line.ts'
import { retryAt } from './model/retries.ts'
import type { Property } from './property.ts'
import { minute } from './telling.ts'
import { booksOf, judgeInto, watcher, type Seen } from './watching.ts'

const minuteMs = 60_000

type Deadline = { readonly testRun: TestRunId; readonly at: Millis }
type Retry = { readonly run: TestRun; readonly at: Millis }
type Due = { readonly what: string; readonly numbers: readonly number[] }

/**
 * Spec, "A run ends" (errored, timeout) and "Order and starting" (maximum wait). A queue to which
 * nothing happens any more goes on only because it is woken: whatever falls due later needs a
 * wake-up that comes no later, and whatever has fallen due has been acted upon.
 */
export const wakeIsArmed: Property = {
  name: 'wake-is-armed',
  sentence:
    'Whenever the queue rests, a wake-up is armed for the earliest timeout, retry or end of a wait, and none is overdue.',
  watch(setting, findings) {
    const judge = judgeInto(findings)
    const books = booksOf(setting)
    const { room, settings } = books
    const armed = new TinyQueue<Millis>([], (a, b) => a - b)
    const deadlines = new TinyQueue<Deadline>([], (a, b) => a.at - b.at)
    let mainRuns = 0
    /** Runs of bisections that were lost and are to be repeated. */
    const retries = new TinyQueue<Retry>([], (a, b) => a.at - b.at)

    const nextDeadline = (): Deadline | undefined => {
      for (;;) {
        const next = deadlines.peek()
        if (!next || books.runs.underWay.has(next.testRun)) return next
        deadlines.pop()
      }
    }
    /** When the first of the groups that wait to repeat a run is to be started again. */
    const nextRetry = (at: Millis): LineGroup | null => {
      let next: LineGroup | null = null
      for (const group of books.line.groups) {
        const { stand, notBefore } = group
        if (stand !== 'waiting' || notBefore === null || notBefore <= at) continue
        if (notBefore < (next?.notBefore ?? Infinity)) next = group
      }
      return next
    }
    /** Nobody repeats what holds one that left, or what is decided without it. */
    const isWanted = ({ owner, tested }: TestRun): boolean => {
      if (owner.kind === 'main') return true
      const bisected = books.bisections.all.get(owner.bisection)
      const last = tested.at(-1)
      if (!bisected || bisected.hasLostMember || last === undefined) return false
      return bisected.open.includes(last)
    }
    const nextBisectionRetry = (at: Millis): Retry | undefined => {
      for (;;) {
        const next = retries.peek()
        if (!next || (next.at > at && isWanted(next.run))) return next
        retries.pop()
      }
    }
    const isArmedBy = (at: Millis): boolean => (armed.peek() ?? Infinity) <= at
    const review = (at: Millis, seen: Seen, tell: () => Due): void => {
      judge(at > seen.at && isArmedBy(at), seen, () => {
        const { what, numbers } = tell()
        const [now, then] = [minute(seen.at), minute(at)]
        return {
          story:
            at <= seen.at
              ? `At ${now} nothing had come of it that at ${then} ${what}.`
              : `At ${then} ${what}, and at ${now} the queue rests with no wake-up until then.`,
          pullRequests: numbers,
        }
      })
    }
    const reviewDeadline = (seen: Seen): void => {
      const next = nextDeadline()
      if (!next) return
      review(next.at, seen, () => ({
        what: `run ${next.testRun} times out`,
        numbers: books.runs.underWay.get(next.testRun)?.run.tested ?? [],
      }))
    }
    const reviewRetries = (seen: Seen): void => {
      if (settings.state === 'PAUSED') return
      const group = nextRetry(seen.at)
      const dueAt = group?.notBefore ?? null
      if (group && dueAt !== null) {
        const what = 'a run that was lost is to be made again'
        review(dueAt, seen, () => ({ what, numbers: group.members }))
      }
      const next = books.bisections.all.size > 0 ? nextBisectionRetry(seen.at) : undefined
      if (!next) return
      const { id, tested } = next.run
      review(next.at, seen, () => ({
        what: `run ${id}, which was lost, is to be made again`,
        numbers: tested,
      }))
    }
    const reviewWait = (seen: Seen): void => {
      const { batch, batchingMaxWaitTimeMinutes, concurrency } = settings.configuration
      const mayFill = batch && settings.state === 'RUNNING' && mainRuns < concurrency
      if (!mayFill || room.pending === 0) return
      review(room.pendingSince + batchingMaxWaitTimeMinutes * minuteMs, seen, () => ({
        what: 'the wait for a full batch ends',
        numbers: room.first(room.pending).map(({ number }) => number),
      }))
    }
    const end = (testRun: TestRunId): void => {
      if (books.runs.underWay.get(testRun)?.run.owner.kind === 'main') mainRuns--
    }

    return watcher(setting, {
      on: {
        testRunStarted({ run }, { at }) {
          if (run.owner.kind === 'main') mainRuns++
          const { testingTimeoutMinutes } = settings.configuration
          deadlines.push({ testRun: run.id, at: at + testingTimeoutMinutes * minuteMs })
        },
        testRunFinished({ testRun, outcome }, { at }) {
          const run = books.runs.underWay.get(testRun)?.run
          end(testRun)
          const again = run && outcome === 'errored' ? retryAt(run, at) : null
          if (run?.owner.kind === 'bisection' && again !== null) retries.push({ run, at: again })
        },
        testRunCancelled: ({ testRun }) => end(testRun),
        wakeScheduled: ({ wakeAt }) => armed.push(wakeAt),
      },
      atCommand({ at, moment }) {
        if (moment.command.type !== 'wake') return
        while (armed.length > 0 && (armed.peek() ?? 0) <= at) armed.pop()
      },
      atRest(seen) {
        reviewDeadline(seen)
        reviewRetries(seen)
        reviewWait(seen)
      },
    })
  },
}
