/** Engines with something wrong in them: the real rules, one of them bent or left out. */

import {
  parts,
  rules,
  type Event,
  type Parts,
  type QueueView,
  type Rule,
  type RuleName,
  type Step,
} from '../../../engine/index.ts'

/** The engine with some rules replaced, and its other parts as they are. */
export function engineWith(
  wrong: Partial<Record<RuleName, Rule>>,
  others: Partial<Parts> = {},
): Parts {
  const replaced = { ...rules, ...wrong }
  return { ...parts, rules: Object.values(replaced), ...others }
}

/** A rule that does nothing. */
export const nothing: Rule = () => false

/** The rule, taking the queue for something that it is not. */
export function mistaking(rule: Rule, mistake: (queue: QueueView) => Partial<QueueView>): Rule {
  return (step) => rule({ ...step, queue: mistaken(step.queue, mistake) })
}

/** The queue as it is, but for what it is mistaken for; what changes meanwhile shows through. */
export function mistaken(
  queue: QueueView,
  mistake: (queue: QueueView) => Partial<QueueView>,
): QueueView {
  const wrong: Readonly<Record<PropertyKey, unknown>> = { ...mistake(queue) }
  return new Proxy(queue, {
    get: (target, key): unknown => (key in wrong ? wrong[key] : Reflect.get(target, key)),
  })
}

/** The rule, with its events bent on their way: each becomes those that are answered for it. */
export function bending(rule: Rule, bend: (event: Event) => readonly Event[]): Rule {
  return (step) => rule(bent(step, bend))
}

export function bent(step: Step, bend: (event: Event) => readonly Event[]): Step {
  return {
    ...step,
    emit(event) {
      for (const each of bend(event)) step.emit(each)
    },
  }
}
