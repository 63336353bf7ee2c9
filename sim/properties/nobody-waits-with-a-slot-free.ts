import type { BisectionId, Millis } from '../../engine/index.ts'
import type { Bisected } from './model/bisections.ts'
import { retryAt } from './model/retries.ts'
import { urgentPriority } from './model/waiting-room.ts'
import type { Property } from './property.ts'
import { listed, minute, pullRequests } from './telling.ts'
import { booksOf, judgeInto, watcher, type Seen } from './watching.ts'

const minuteMs = 60_000

/**
 * Spec, safety 7 and "Order and starting" (when a batch starts). Looked at whenever the queue
 * rests with a main slot free: what is restarted is due at once; what is PENDING may only wait
 * for its batch to fill, and not for longer than the maximum wait. A bisection with a slot free
 * has a run under way or one to be repeated. An urgent one never waits for a slot to enter.
 */
export const nobodyWaitsWithASlotFree: Property = {
  name: 'nobody-waits-with-a-slot-free',
  sentence:
    'While a slot is free nobody waits who is restarted, urgent, of a full batch or beyond the maximum wait, and no bisection stands still.',
  watch(setting, findings) {
    const books = booksOf(setting)
    const judge = judgeInto(findings)
    const { room, settings } = books
    const count = { main: 0, bisection: 0 }
    /** Until when a bisection waits to repeat a run that was lost. */
    const idleUntil = new Map<BisectionId, Millis>()

    const end = (testRun: number): void => {
      const kind = books.runs.underWay.get(testRun)?.run.owner.kind
      if (kind) count[kind]--
    }
    const inTheLine = (seen: Seen): void => {
      const due = books.line.groups.find(
        ({ stand, notBefore }) =>
          stand === 'waiting' && (notBefore === null || notBefore <= seen.at),
      )
      judge(due === undefined, seen, () => ({
        story: `At ${minute(seen.at)} group ${due?.id ?? 0} of ${pullRequests(due?.members ?? [])} waits for a run, and ${freeSlots()} of the main slots are free.`,
        pullRequests: due?.members ?? [],
      }))
    }
    const freeSlots = (): number => settings.configuration.concurrency - count.main
    const inTheOrder = (seen: Seen): void => {
      if (room.pending === 0) return
      const why = overdue(seen.at)
      judge(why === null, seen, () => {
        const { next } = room
        return {
          story: `At ${minute(seen.at)} pull request ${next?.number ?? 0} is PENDING with ${freeSlots()} of the main slots free, and ${why ?? ''}.`,
          pullRequests: next ? [next.number] : [],
        }
      })
    }
    /** How many of those PENDING share one target: sooner or later they are of one batch. */
    const mostInOneLane = (): number => {
      if (settings.configuration.mode === 'single') return room.pending
      const lanes = new Map<string, number>()
      let everywhere = 0
      for (const { number, pendingSince } of room.everybody()) {
        if (pendingSince === null) continue
        const touched = books.targets.of([number])
        if (touched === 'ALL') everywhere++
        else for (const name of touched) lanes.set(name, (lanes.get(name) ?? 0) + 1)
      }
      return everywhere + Math.max(0, ...lanes.values())
    }
    const overdue = (at: Millis): string | null => {
      const { batch, batchingMinSize, batchingMaxWaitTimeMinutes } = settings.configuration
      if (!batch || batchingMinSize === 1) return 'there is no batch to wait for'
      const ready = mostInOneLane()
      if (ready >= batchingMinSize) return `${ready} are there for a batch`
      if (room.pendingAlone > 0) return 'one of those PENDING joins nobody'
      const waitMs = batchingMaxWaitTimeMinutes * minuteMs
      if (at - room.pendingSince < waitMs) return null
      const longest = room.first(room.pending).find(({ pendingSince }) => {
        return pendingSince !== null && at - pendingSince >= waitMs
      })
      return longest ? `${longest.number} has waited ${batchingMaxWaitTimeMinutes} minutes` : null
    }
    const inBisections = (seen: Seen): void => {
      const { concurrency, bisectionConcurrency } = settings.configuration
      const isSlotFree = count.bisection < (bisectionConcurrency ?? concurrency)
      const idle = idleBisection(isSlotFree, seen.at)
      judge(idle === undefined, seen, () => ({
        story: `At ${minute(seen.at)} the bisection of ${pullRequests(idle?.members ?? [])} stands still, with ${listed(idle?.open ?? [])} undecided and a slot free.`,
        pullRequests: idle?.members ?? [],
      }))
    }
    const idleBisection = (isSlotFree: boolean, at: Millis): Bisected | undefined => {
      for (const bisected of books.bisections.all.values()) {
        if (bisected.open.length === 0 || (isSlotFree && !isAtWork(bisected, at))) return bisected
      }
      return undefined
    }
    /** A run that tests somebody undecided is under way, or is to be made again later. */
    const isAtWork = ({ id, open }: Bisected, at: Millis): boolean => {
      if (at < (idleUntil.get(id) ?? 0)) return true
      for (const { run } of books.runs.underWay.values()) {
        const { owner, tested } = run
        if (owner.kind !== 'bisection' || owner.bisection !== id) continue
        if (tested.some((number) => open.includes(number))) return true
      }
      return false
    }

    return watcher(setting, {
      on: {
        testRunStarted({ run }) {
          count[run.owner.kind]++
        },
        testRunFinished({ testRun, outcome }, { at }) {
          const run = books.runs.underWay.get(testRun)?.run
          end(testRun)
          const repeatAt = run && outcome === 'errored' ? retryAt(run, at) : null
          if (run?.owner.kind !== 'bisection' || repeatAt === null) return
          idleUntil.set(run.owner.bisection, repeatAt)
        },
        testRunCancelled: ({ testRun }) => end(testRun),
        bisectionEnded: ({ bisection }) => void idleUntil.delete(bisection),
      },
      atRest(seen) {
        const { state } = settings
        if (state === 'PAUSED') return
        inBisections(seen)
        if (state === 'RUNNING') {
          const { next } = room
          judge(next?.priority !== urgentPriority, seen, () => ({
            story: `At ${minute(seen.at)} pull request ${next?.number ?? 0} is urgent and not in the line.`,
            pullRequests: next ? [next.number] : [],
          }))
        }
        if (freeSlots() <= 0) return
        inTheLine(seen)
        if (state === 'RUNNING') inTheOrder(seen)
      },
    })
  },
}
