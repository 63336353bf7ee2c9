/**
 * Engines with something wrong in them: the real rules, one of them bent or left out. The engine
 * has no switch for any of this; it is wrapped from outside.
 */

import {
  parts,
  rules,
  type Event,
  type Parts,
  type QueueView,
  type Rule,
  type RuleName,
  type Step,
} from '../../engine/index.ts'

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
export function bending(rule: Rule, bend: Bend): Rule {
  return (step) => rule(bent(step, bend))
}

type Bend = (event: Event, queue: QueueView) => readonly Event[]

export function bent(step: Step, bend: Bend): Step {
  return {
    ...step,
    emit(event) {
      for (const each of bend(event, step.queue)) step.emit(each)
    },
  }
}

/** Commands and rules alike, with their events bent. */
export function bendingAll(bend: Bend): Parts {
  return {
    ...parts,
    decide: (step, command) => parts.decide(bent(step, bend), command),
    rules: parts.rules.map((rule) => bending(rule, bend)),
  }
}

/** Commands decided in another way. */
export function deciding(decide: Parts['decide']): Parts {
  return { ...parts, decide }
}

/** Commands decided on a queue that is taken for something else. */
export function decidingMistaken(mistake: (queue: QueueView) => Partial<QueueView>): Parts {
  return deciding((step, command) =>
    parts.decide({ ...step, queue: mistaken(step.queue, mistake) }, command),
  )
}

/** The state as it should be after each event, and then something more. */
export function evolving(after: Parts['evolve']): Parts {
  return {
    ...parts,
    evolve(queue, event) {
      parts.evolve(queue, event)
      after(queue, event)
    },
  }
}

/** The state changes as if another event had happened than the one that is told. */
export function evolvingAs(change: (event: Event) => Event): Parts {
  return { ...parts, evolve: (queue, event) => parts.evolve(queue, change(event)) }
}

/** The rule, reading some settings wrongly. */
export function misreading(
  rule: Rule,
  change: (configuration: QueueView['configuration']) => Partial<QueueView['configuration']>,
): Rule {
  return mistaking(rule, ({ configuration }) => ({
    configuration: { ...configuration, ...change(configuration) },
  }))
}
