/** What the state of a queue holds of pull requests that have left. */

import type { QueueView } from '../../engine/index.ts'

/**
 * Returns in words what is left behind in a queue in which only `unready` pull requests wait, all of
 * them NOT_READY, and nobody is in the line. Counts and lists are kept step by step, so whatever was
 * once forgotten, or counted twice, is still wrong at the end.
 */
export function leftBehind(queue: QueueView, unready: number): string[] {
  const { order, phases, touching } = queue
  const lists = {
    'priority levels': order.levels,
    arrivals: order.arrivals.numbers,
    'targets of those that wait': Object.keys(order.sharing.byTarget),
    'waiting with all targets': order.sharing.all.numbers,
    'targets of groups': Object.keys(touching.byTarget),
    'groups with all targets': touching.all,
    phases: Object.values(phases).flat(),
  }
  const counts = {
    pending: order.pending,
    'tested alone': order.alone,
    'not ready': order.unready - unready,
  }
  const long = Object.entries(lists).map(([name, { length }]) => [name, length] as const)
  return [...Object.entries(counts), ...long]
    .filter(([, count]) => count !== 0)
    .map(([name, count]) => `${name} (${count})`)
}
