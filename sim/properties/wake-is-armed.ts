import TinyQueue from 'tinyqueue'
import type { Millis, TestRun, TestRunId } from '../../engine/index.ts'
import { retryAt } from './model/retries.ts'
import type { Property } from './property.ts'
import { minute } from './telling.ts'
import { booksOf, judgeInto, watcher, type Seen } from './watching.ts'

const minuteMs = 60_000

type Deadline = { readonly testRun: TestRunId; readonly at: Millis }
type Retry = { readonly run: TestRun; readonly at: Millis }
/** The words are found only when they are needed: it is looked at whenever the queue rests. */
type Due = {
  readonly at: Millis
  readonly what: () => string
  readonly numbers: () => readonly number[]
}

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

    const nextDeadline = (): Due | null => {
      for (;;) {
        const next = deadlines.peek()
        if (!next) return null
        const record = books.runs.underWay.get(next.testRun)
        const what = (): string => `run ${next.testRun} times out`
        if (record) return { at: next.at, what, numbers: () => record.run.tested }
        deadlines.pop()
      }
    }
    const nextRetry = (at: Millis): Due | null => {
      if (settings.state === 'PAUSED') return null
      let next: Due | null = null
      for (const { notBefore, stand, members } of books.line.groups) {
        if (stand !== 'waiting' || notBefore === null || notBefore <= at) continue
        if (next && next.at <= notBefore) continue
        const what = (): string => 'a run that was lost is to be made again'
        next = { at: notBefore, what, numbers: () => members }
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
    const nextBisectionRetry = (at: Millis): Due | null => {
      if (settings.state === 'PAUSED' || books.bisections.all.size === 0) return null
      for (;;) {
        const next = retries.peek()
        if (!next) return null
        if (next.at > at && isWanted(next.run)) {
          const what = (): string => `run ${next.run.id}, which was lost, is to be made again`
          return { at: next.at, what, numbers: () => next.run.tested }
        }
        retries.pop()
      }
    }
    const endOfWait = (): Due | null => {
      const { batch, batchingMaxWaitTimeMinutes, concurrency } = settings.configuration
      const mayFill = batch && settings.state === 'RUNNING' && mainRuns < concurrency
      if (!mayFill || room.pending === 0) return null
      let since = Infinity
      for (const { pendingSince } of room.everybody()) {
        if (pendingSince !== null && pendingSince < since) since = pendingSince
      }
      return {
        at: since + batchingMaxWaitTimeMinutes * minuteMs,
        what: () => 'the wait for a full batch ends',
        numbers: () => room.first(room.pending).map(({ number }) => number),
      }
    }
    const isArmedBy = (at: Millis): boolean => (armed.peek() ?? Infinity) <= at
    const review = (due: Due | null, seen: Seen): void => {
      if (!due) return
      judge(due.at > seen.at && isArmedBy(due.at), seen, () => ({
        story:
          due.at <= seen.at
            ? `At ${minute(seen.at)} nothing had come of it that at ${minute(due.at)} ${due.what()}.`
            : `At ${minute(due.at)} ${due.what()}, and at ${minute(seen.at)} the queue rests with no wake-up until then.`,
        pullRequests: due.numbers(),
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
        review(nextDeadline(), seen)
        review(nextRetry(seen.at), seen)
        review(nextBisectionRetry(seen.at), seen)
        review(endOfWait(), seen)
      },
    })
  },
}
