/**
 * Engines with a defect: the real rules, with one of them altered or removed. The engine has no
 * switch for defects; its parts are wrapped from outside.
 */

import {
  engineParts,
  rules,
  type Event,
  type EngineParts,
  type QueueView,
  type Rule,
  type RuleName,
  type Step,
} from '../../engine/index.ts'

/** Returns the engine with some rules replaced, and its other parts unchanged. */
export function engineWithRules(
  wrong: Partial<Record<RuleName, Rule>>,
  others: Partial<EngineParts> = {},
): EngineParts {
  const replaced = { ...rules, ...wrong }
  return { ...engineParts, rules: Object.values(replaced), ...others }
}

/** A rule that does nothing. */
export const nothing: Rule = () => false

/** Returns the rule, which then reads a false state of the queue. */
export function withMisreadQueue(
  rule: Rule,
  misread: (queue: QueueView) => Partial<QueueView>,
): Rule {
  return (step) => rule({ ...step, queue: misreadQueue(step.queue, misread) })
}

/** A view of the queue with some fields overridden. Later changes of other fields are visible. */
export function misreadQueue(
  queue: QueueView,
  misread: (queue: QueueView) => Partial<QueueView>,
): QueueView {
  const wrong: Readonly<Record<PropertyKey, unknown>> = { ...misread(queue) }
  return new Proxy(queue, {
    get: (target, key): unknown => (key in wrong ? wrong[key] : Reflect.get(target, key)),
  })
}

/** Returns the rule with its events altered: each is replaced by those that `alter` returns. */
export function alteringEvents(rule: Rule, alter: AlterEvents): Rule {
  return (step) => rule(alteredStep(step, alter))
}

type AlterEvents = (event: Event, queue: QueueView) => readonly Event[]

export function alteredStep(step: Step, alter: AlterEvents): Step {
  return {
    ...step,
    emit(event) {
      for (const each of alter(event, step.queue)) step.emit(each)
    },
  }
}

/** Returns the engine with the events of commands and rules altered. */
export function alteringAllEvents(alter: AlterEvents): EngineParts {
  return {
    ...engineParts,
    decide: (step, command) => engineParts.decide(alteredStep(step, alter), command),
    rules: engineParts.rules.map((rule) => alteringEvents(rule, alter)),
  }
}

/** Returns the engine with another way to decide commands. */
export function deciding(decide: EngineParts['decide']): EngineParts {
  return { ...engineParts, decide }
}

/** Returns the engine that decides commands on a false state of the queue. */
export function decidingOnMisreadQueue(
  misread: (queue: QueueView) => Partial<QueueView>,
): EngineParts {
  return deciding((step, command) =>
    engineParts.decide({ ...step, queue: misreadQueue(step.queue, misread) }, command),
  )
}

/** Returns the engine that changes the state further after each event. */
export function evolving(after: EngineParts['evolve']): EngineParts {
  return {
    ...engineParts,
    evolve(queue, event) {
      engineParts.evolve(queue, event)
      after(queue, event)
    },
  }
}

/** Returns the engine that applies another event to the state than the one it publishes. */
export function evolvingAs(change: (event: Event) => Event): EngineParts {
  return { ...engineParts, evolve: (queue, event) => engineParts.evolve(queue, change(event)) }
}

/** Returns the rule, which then reads some false settings. */
export function withMisreadSettings(
  rule: Rule,
  change: (configuration: QueueView['configuration']) => Partial<QueueView['configuration']>,
): Rule {
  return withMisreadQueue(rule, ({ configuration }) => ({
    configuration: { ...configuration, ...change(configuration) },
  }))
}

/** Returns the engine with some of its rules, each replaced by what `wrap` makes of it. */
function engineWithEach(
  names: RuleName | readonly RuleName[],
  wrap: (rule: Rule) => Rule,
): EngineParts {
  const wrapped = [names].flat().map((name): [string, Rule] => [name, wrap(rules[name])])
  return engineWithRules(Object.fromEntries(wrapped))
}

/** Returns the engine without these rules. */
export const withoutRules = (...names: readonly RuleName[]): EngineParts =>
  engineWithEach(names, () => nothing)

/** Returns the engine of which these rules read a false state of the queue. */
export const misreadingQueue = (
  names: RuleName | readonly RuleName[],
  misread: Parameters<typeof withMisreadQueue>[1],
): EngineParts => engineWithEach(names, (rule) => withMisreadQueue(rule, misread))

/** Returns the engine of which these rules read some false settings. */
export const misreadingSettings = (
  names: RuleName | readonly RuleName[],
  change: Parameters<typeof withMisreadSettings>[1],
): EngineParts => engineWithEach(names, (rule) => withMisreadSettings(rule, change))

/** Returns the engine of which these rules have their events altered. */
export const alteringEventsOf = (
  names: RuleName | readonly RuleName[],
  alter: AlterEvents,
): EngineParts => engineWithEach(names, (rule) => alteringEvents(rule, alter))
