/**
 * Engines with a defect: the real rules, with one of them altered or removed. The engine has no
 * switch for defects; its parts are wrapped from outside.
 */

import { engineParts, rules } from '../../engine/index.ts'
import type {
  CommandBody,
  Event,
  EngineParts,
  EventOf,
  Queue,
  QueueView,
  Rejection,
  Rule,
  RuleName,
  Step,
} from '../../engine/index.ts'

/** Returns the engine with some rules replaced, and its other parts unchanged. */
export function engineWithRules(wrong: Partial<Record<RuleName, Rule>>): EngineParts {
  return { ...engineParts, rules: Object.values({ ...rules, ...wrong }) }
}

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
function alteringEvents(rule: Rule, alter: AlterEvents): Rule {
  return (step) => rule(alteredStep(step, alter))
}

export type AlterEvents = (event: Event, queue: QueueView) => readonly Event[]

/** Alters the events of one type; null leaves an event out. */
export function ofType<Type extends Event['type']>(
  type: Type,
  alter: (event: EventOf<Type>, queue: QueueView) => Event | readonly Event[] | null,
): AlterEvents {
  const isMeant = (event: Event): event is EventOf<Type> => event.type === type
  return (event, queue) => [isMeant(event) ? (alter(event, queue) ?? []) : event].flat()
}

/** Leaves out the events of one type. */
export const none = (type: Event['type']): AlterEvents => ofType(type, () => null)

/** Returns it without a field. */
export function without<Whole extends object, Key extends keyof Whole>(
  whole: Whole,
  key: Key,
): Omit<Whole, Key> {
  const { [key]: _left, ...rest } = whole
  return rest
}

export function mapped<One, Other>(
  all: Readonly<Record<string, One>>,
  change: (one: One) => Other,
): Record<string, Other> {
  return Object.fromEntries(Object.entries(all).map(([key, one]) => [key, change(one)]))
}

function alteredStep(step: Step, alter: AlterEvents): Step {
  return {
    ...step,
    emit(event) {
      for (const other of alter(event, step.queue)) step.emit(other)
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

type CommandOf<Type extends CommandBody['type']> = Extract<CommandBody, { readonly type: Type }>

/** Returns the engine with another way to decide commands of this type. */
export function decidingOn<Type extends CommandBody['type']>(
  type: Type,
  decide: (step: Step, command: CommandOf<Type>) => Rejection | null,
): EngineParts {
  const isMeant = (command: CommandBody): command is CommandOf<Type> => command.type === type
  return deciding((step, command) =>
    isMeant(command) ? decide(step, command) : engineParts.decide(step, command),
  )
}

/** Returns the engine that reads another command than this one. */
export const reading = <Type extends CommandBody['type']>(
  type: Type,
  change: (command: CommandOf<Type>, queue: QueueView) => CommandBody,
): EngineParts =>
  decidingOn(type, (step, command) => engineParts.decide(step, change(command, step.queue)))

/** Returns the engine that decides commands of this type on a false state of the queue. */
export const misreadingFor = <Type extends CommandBody['type']>(
  type: Type,
  misread: (queue: QueueView, command: CommandOf<Type>) => Partial<QueueView>,
): EngineParts =>
  decidingOn(type, (step, command) => {
    const queue = misreadQueue(step.queue, (view) => misread(view, command))
    return engineParts.decide({ ...step, queue }, command)
  })

/** Returns the engine with the events of commands altered, and those of rules as they are. */
export const alteringDecisions = (
  alter: (event: Event, queue: QueueView, command: CommandBody) => readonly Event[],
): EngineParts =>
  deciding((step, command) => {
    const altered = alteredStep(step, (event, queue) => alter(event, queue, command))
    return engineParts.decide(altered, command)
  })

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

/** Returns the engine that applies other events to the state than the one it publishes. */
export function evolvingAs(alter: AlterEvents): EngineParts {
  return {
    ...engineParts,
    evolve(queue, event) {
      for (const other of alter(event, queue)) engineParts.evolve(queue, other)
    },
  }
}

/** Returns the engine that puts back a part of the state: what `before` returns is called after the event. */
export function puttingBack(
  before: (queue: Queue, event: Event) => (() => void) | undefined,
): EngineParts {
  return {
    ...engineParts,
    evolve(queue, event) {
      const after = before(queue, event)
      engineParts.evolve(queue, event)
      after?.()
    },
  }
}

/** Returns the engine with some of its rules, each replaced by what `wrap` makes of it. */
function engineWithEach(
  names: RuleName | readonly RuleName[],
  wrap: (rule: Rule) => Rule,
): EngineParts {
  const wrapped = [names].flat().map((name): [string, Rule] => [name, wrap(rules[name])])
  return engineWithRules(Object.fromEntries(wrapped))
}

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
  change: (configuration: QueueView['configuration']) => Partial<QueueView['configuration']>,
): EngineParts =>
  misreadingQueue(names, ({ configuration }) => ({
    configuration: { ...configuration, ...change(configuration) },
  }))

/** Returns the engine of which these rules have their events altered. */
export const alteringEventsOf = (
  names: RuleName | readonly RuleName[],
  alter: AlterEvents,
): EngineParts => engineWithEach(names, (rule) => alteringEvents(rule, alter))
