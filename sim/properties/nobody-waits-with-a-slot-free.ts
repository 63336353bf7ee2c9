import type { BisectionId, Millis } from '../../engine/index.ts'
import type { BisectionRecord } from '../ledger/bisections.ts'
import { batchSize } from '../ledger/batch-size.ts'
import { fillingGroups } from '../ledger/filling-groups.ts'
import { retryAt } from '../ledger/retries.ts'
import { urgentPriority } from '../ledger/waiting-list.ts'
import { dueRunOf } from '../ledger/screening.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { listed, minute, pullRequests } from './wording.ts'

const minuteMs = 60_000

/** Beside pull requests that are tested alone, lanes are checked only while no more wait. */
const waitingAtMost = 100

/**
 * Rules: E-31, E-32, E-34, E-116. Checked whenever the queue is at rest with a main slot free. A
 * restarted group is due at once. A PENDING pull request may wait only for its batch to fill, and
 * not longer than the maximum wait; one that is tested alone only for a batch ahead of it. While a bisection slot is free, each bisection has a run under
 * way or one to be repeated. An urgent pull request never waits for a slot to enter the line.
 */
export const nobodyWaitsWithASlotFree: Property = {
  name: 'nobody-waits-with-a-slot-free',
  sentence:
    'While a slot is free, no pull request waits that is restarted, urgent, in a full batch or beyond the maximum wait, and no bisection is idle.',
  watch({ check, ledger }) {
    const { waiting, settings } = ledger
    /** Until when a bisection waits to repeat lost runs: for the last of them. */
    const idleUntil = new Map<BisectionId, Millis>()

    const inTheLine = (point: Point): void => {
      const due = ledger.line.groups.find(
        (group) =>
          group.status === 'waiting' &&
          (group.notBefore === null || group.notBefore <= point.at) &&
          dueRunOf(ledger, group) !== 'nothing',
      )
      check(due === undefined, point, () => ({
        story: `At ${minute(point.at)} group ${due?.id ?? 0} of ${pullRequests(due?.members ?? [])} waits for a run, although main slots are free: ${freeSlots()}.`,
        pullRequests: due?.members ?? [],
      }))
    }
    const freeSlots = (): number => settings.configuration.concurrency - ledger.runs.taken.main
    const inTheOrder = (point: Point): void => {
      if (waiting.pending === 0) return
      const reason = overdue(point.at)
      check(reason === null, point, () => {
        const { next } = waiting
        return {
          story: `At ${minute(point.at)} pull request ${next?.number ?? 0} is PENDING although main slots are free (${freeSlots()}) and ${reason ?? ''}.`,
          pullRequests: next ? [next.number] : [],
        }
      })
    }
    /**
     * The largest number of PENDING pull requests that share one target, and so belong to one
     * batch.
     */
    const mostInOneLane = (): number => {
      if (settings.configuration.mode === 'single') return waiting.pending
      const lanes = new Map<string, number>()
      let everywhere = 0
      for (const { number, pendingSince } of waiting.all()) {
        if (pendingSince === null) continue
        const touched = ledger.targets.of([number])
        if (touched === 'ALL') everywhere++
        else for (const name of touched) lanes.set(name, (lanes.get(name) ?? 0) + 1)
      }
      return everywhere + Math.max(0, ...lanes.values())
    }
    const overdue = (at: Millis): string | null => {
      const { batchingMaxWaitTimeMinutes } = settings.configuration
      const size = batchSize(ledger)
      if (size === 1) return 'there is no batch to wait for'
      if (waiting.pendingAlone > 0) return overdueBesideAlone(at)
      const ready = mostInOneLane()
      if (ready >= size) return `${ready} are enough for a batch`
      const waitMs = batchingMaxWaitTimeMinutes * minuteMs
      if (at - waiting.pendingSince < waitMs) return null
      const longest = waiting.first(waiting.pending).find(({ pendingSince }) => {
        return pendingSince !== null && at - pendingSince >= waitMs
      })
      return longest ? `${longest.number} has waited ${batchingMaxWaitTimeMinutes} minutes` : null
    }
    /** Those that are tested alone may wait for the batch ahead of them, so each group is looked at. */
    const overdueBesideAlone = (at: Millis): string | null => {
      const { mode, batchingMaxWaitTimeMinutes } = settings.configuration
      if (mode === 'parallel' && waiting.pending > waitingAtMost) return null
      for (const { members, isComplete } of fillingGroups(ledger, batchSize(ledger))) {
        const numbers = pullRequests(members.map(({ number }) => number))
        if (isComplete) return `${numbers} need not wait for others`
        const since = Math.min(...members.map(({ pendingSince }) => pendingSince ?? Infinity))
        const isDue = at - since >= batchingMaxWaitTimeMinutes * minuteMs
        if (isDue) return `one of ${numbers} has waited ${batchingMaxWaitTimeMinutes} minutes`
      }
      return null
    }
    const inBisections = (point: Point): void => {
      const { concurrency, bisectionConcurrency } = settings.configuration
      const isSlotFree = ledger.runs.taken.bisection < (bisectionConcurrency ?? concurrency)
      const idle = idleBisection(isSlotFree, point.at)
      check(idle === undefined, point, () => ({
        story: `At ${minute(point.at)} the bisection of ${pullRequests(idle?.members ?? [])} is idle, with ${listed(idle?.open ?? [])} undecided and a slot free.`,
        pullRequests: idle?.members ?? [],
      }))
    }
    const idleBisection = (isSlotFree: boolean, at: Millis): BisectionRecord | undefined => {
      for (const bisectionRecord of ledger.bisections.all.values()) {
        if (bisectionRecord.open.length === 0 || (isSlotFree && !isAtWork(bisectionRecord, at)))
          return bisectionRecord
      }
      return undefined
    }
    /**
     * Whether a run that tests an undecided member is under way, or is to be repeated later. A second
     * look counts only where the search waits for it.
     */
    const isAtWork = ({ id, open }: BisectionRecord, at: Millis): boolean => {
      if (at < (idleUntil.get(id) ?? 0)) return true
      for (const { run } of ledger.runs.underWay.values()) {
        const { owner, tested } = run
        if (owner.kind !== 'bisection' || owner.bisection !== id) continue
        if (!tested.some((number) => open.includes(number))) continue
        const isBeside =
          open.length > 1 &&
          ledger.secondLooks.isSecondLook(run) &&
          !ledger.secondLooks.isNeeded(id)
        if (!isBeside) return true
      }
      return false
    }

    return {
      isActive: () => settings.state !== 'PAUSED',
      on: {
        testRunFinished({ testRun, outcome }, { at }) {
          const run = ledger.runs.underWay.get(testRun)?.run
          const repeatAt = run && outcome === 'errored' ? retryAt(run, at) : null
          if (run?.owner.kind !== 'bisection' || repeatAt === null) return
          const { bisection } = run.owner
          idleUntil.set(bisection, Math.max(repeatAt, idleUntil.get(bisection) ?? 0))
        },
        bisectionEnded: ({ bisection }) => void idleUntil.delete(bisection),
      },
      atRest(point) {
        const { state } = settings
        if (state === 'PAUSED') return
        inBisections(point)
        if (state === 'RUNNING') {
          const { next } = waiting
          check(next?.priority !== urgentPriority, point, () => ({
            story: `At ${minute(point.at)} pull request ${next?.number ?? 0} is urgent and not in the line.`,
            pullRequests: next ? [next.number] : [],
          }))
        }
        if (freeSlots() <= 0) return
        inTheLine(point)
        if (state === 'RUNNING') inTheOrder(point)
      },
    }
  },
}
