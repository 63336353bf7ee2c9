/**
 * The alterations of which defects are made: each takes the engine and replaces what some of its rules and
 * commands read or emit, or what an event does to the state. The engine itself has no switch for them. Rule: S-64.
 */

import { engineParts, rules } from '../../engine/index.ts'
import type {
  CommandBody,
  Configuration,
  EngineParts,
  Event,
  EventOf,
  EventType,
  Queue,
  QueueView,
  Rejection,
  Rule,
  RuleName,
  Step,
} from '../../engine/index.ts'
import { titled } from '../steps/titled.ts'

// The catalogue.

/** A deliberate fault of the engine. */
export type Defect = {
  /** Short and stable. */
  readonly name: string
  /** What it does, in one sentence. */
  readonly sentence: string
  /** The first seed of the swarm in which somebody notices it. */
  readonly firstSeed: number
  readonly parts: EngineParts
}

/** Returns the defects of a table: the number in a title is the first seed, and below it is the engine. */
export const catalogue = (titles: TemplateStringsArray, ...engines: EngineParts[]): Defect[] =>
  titled(titles, ...engines).map(({ name, number: firstSeed, sentence, value: parts }) => {
    return { name, sentence, firstSeed, parts }
  })

// What differs in a value.

/** Other values of some fields; undefined leaves a field out. */
type Change<Whole> = { readonly [Key in keyof Whole]?: Whole[Key] | undefined }

export function changed<Whole extends object>(whole: Whole, change: Change<Whole>): Whole {
  if (Object.keys(change).length === 0) return whole
  const other: Whole = Object.assign({}, whole, change)
  for (const [key, value] of Object.entries(change)) {
    if (value === undefined) Reflect.deleteProperty(other, key)
  }
  return other
}

/** Each of them with other fields, also as it becomes later. */
function everyOne<One extends object>(
  all: Readonly<Record<number, One>>,
  change: (one: One) => Change<One>,
): Record<number, One> {
  return new Proxy(all, {
    get(target, key): unknown {
      const one = typeof key === 'string' ? target[Number(key)] : undefined
      return one ? changed(one, change(one)) : Reflect.get(target, key)
    },
  })
}

// A false state of the queue.

/** What is wrong in it. The command is null in a rule. */
export type Misread = (queue: QueueView, command?: CommandBody | null) => Partial<QueueView>
type PullRequest = QueueView['pullRequests'][number]
type Group = QueueView['groups'][number]
type Bisection = QueueView['bisections'][number]
type PhaseOf<Kind> = Extract<Group['phase'], { readonly kind: Kind }>

/** The queue with some fields overridden. Later changes of other fields are visible. */
function misreadQueue(queue: QueueView, wrong: Partial<QueueView>): QueueView {
  return new Proxy(queue, {
    get: (target, key): unknown => Reflect.get(key in wrong ? wrong : target, key),
  })
}

export const withPullRequests =
  (change: (one: PullRequest) => Change<PullRequest>): Misread =>
  ({ pullRequests }) => ({ pullRequests: everyOne(pullRequests, change) })

export const withTestRuns =
  (
    change: (run: QueueView['testRuns'][number]) => Change<QueueView['testRuns'][number]>,
  ): Misread =>
  ({ testRuns }) => ({ testRuns: everyOne(testRuns, change) })

export const withGroups =
  (change: (group: Group) => Change<Group>): Misread =>
  ({ groups }) => ({ groups: everyOne(groups, change) })

/** The queue in which the groups of a phase are in another state of it. */
export function withPhases<Kind extends Group['phase']['kind']>(
  kinds: readonly Kind[],
  change: (phase: PhaseOf<Kind>, group: Group) => Change<PhaseOf<Kind>>,
): Misread {
  const isMeant = (phase: Group['phase']): phase is PhaseOf<Kind> =>
    kinds.some((kind) => kind === phase.kind)
  return withGroups((group) => {
    const { phase } = group
    return isMeant(phase) ? { phase: changed<Group['phase']>(phase, change(phase, group)) } : {}
  })
}

export const withBisections =
  (change: (bisection: Bisection) => Change<Bisection>): Misread =>
  ({ bisections }) => ({ bisections: bisections.map((each) => changed(each, change(each))) })

// What rules and commands read and emit.

type Place = RuleName | CommandBody['type']

/** Where an alteration applies: in rules, in decisions on commands, in all of either, or everywhere. */
type Places = Place | readonly Place[] | 'rules' | 'commands' | null

/** Returns the engine in which rules and commands work on an altered step. */
function working(
  places: Places,
  alter: (step: Step, command: CommandBody | null) => Step,
): EngineParts {
  const meant = new Set<string>([places ?? ['rules', 'commands']].flat())
  const isMeant = (all: 'rules' | 'commands', place: string): boolean =>
    meant.has(all) || meant.has(place)
  return {
    ...engineParts,
    decide: (step, command) =>
      engineParts.decide(isMeant('commands', command.type) ? alter(step, command) : step, command),
    rules: Object.entries<Rule>(rules).map(([name, rule]) =>
      isMeant('rules', name) ? (step) => rule(alter(step, null)) : rule,
    ),
  }
}

/** They read a false state of the queue. */
export const reading = (places: Places, misread: Misread): EngineParts =>
  working(places, (step, command) => {
    const { queue } = step
    return { ...step, queue: misreadQueue(queue, misread(queue, command)) }
  })

/** They read some false settings. */
export const withSettings = (
  places: Places,
  change: (configuration: Configuration) => Partial<Configuration>,
): EngineParts =>
  reading(places, ({ configuration }) => ({
    configuration: { ...configuration, ...change(configuration) },
  }))

export const without = (...names: readonly RuleName[]): EngineParts =>
  replacing(Object.fromEntries(names.map((name) => [name, () => false])))

export function replacing(others: Partial<Record<RuleName, Rule>>): EngineParts {
  return { ...engineParts, rules: Object.values({ ...rules, ...others }) }
}

/** Every event becomes those that `alter` returns. The command is null in a rule. */
export const emitting = (
  places: Places,
  alter: (event: Event, queue: QueueView, command: CommandBody | null) => readonly Event[],
): EngineParts =>
  working(places, (step, command) => ({
    ...step,
    emit(event) {
      for (const other of alter(event, step.queue, command)) step.emit(other)
    },
  }))

/** What an event becomes: with other fields, several events, or none. */
type Altered<Type extends EventType> = Change<EventOf<Type>> | readonly Event[] | null
type Alter<Type extends EventType> = (event: EventOf<Type>, queue: QueueView) => Altered<Type>

function alteringOf<Type extends EventType>(types: Type | readonly Type[], alter: Alter<Type>) {
  const meant = new Set<string>([types].flat())
  const isMeant = (event: Event): event is EventOf<Type> => meant.has(event.type)
  return (event: Event, queue: QueueView): readonly Event[] => {
    if (!isMeant(event)) return [event]
    const altered = alter(event, queue)
    if (altered === null) return []
    return isList(altered) ? altered : [changed<EventOf<Type>>(event, altered)]
  }
}

const isList = (value: object): value is readonly Event[] => Array.isArray(value)

/** They emit events of some types otherwise. */
export const altering = <Type extends EventType>(
  types: Type | readonly Type[],
  alter: Alter<Type>,
  places: Places = null,
): EngineParts => emitting(places, alteringOf(types, alter))

export const never = (type: EventType, places: Places = null): EngineParts =>
  altering(type, () => null, places)

// What becomes of commands.

type CommandOf<Type> = Extract<CommandBody, { readonly type: Type }>

/** Commands of this type are decided in another way. */
export function answering<Type extends CommandBody['type']>(
  type: Type,
  decide: (step: Step, command: CommandOf<Type>) => Rejection | null,
): EngineParts {
  const isMeant = (command: CommandBody): command is CommandOf<Type> => command.type === type
  return {
    ...engineParts,
    decide: (step, command) =>
      isMeant(command) ? decide(step, command) : engineParts.decide(step, command),
  }
}

/** Other commands are decided than those of this type. */
export const hearing = <Type extends CommandBody['type']>(
  type: Type,
  change: (command: CommandOf<Type>, queue: QueueView) => CommandBody,
): EngineParts =>
  answering(type, (step, command) => engineParts.decide(step, change(command, step.queue)))

/** The rejection of commands of this type for this reason is another answer. */
export const insteadOfRejecting = <Type extends CommandBody['type']>(
  type: Type,
  code: Rejection['code'],
  otherwise: (step: Step, command: CommandOf<Type>) => Rejection | null,
): EngineParts =>
  answering(type, (step, command) => {
    const rejection = engineParts.decide(step, command)
    return rejection?.code === code ? otherwise(step, command) : rejection
  })

// What an event does to the state.

/** Events of some types do something else to the state than what they say. */
export function applying<Type extends EventType>(
  types: Type | readonly Type[],
  alter: Alter<Type>,
): EngineParts {
  const altered = alteringOf(types, alter)
  return {
    ...engineParts,
    evolve(queue, event) {
      for (const other of altered(event, queue)) engineParts.evolve(queue, other)
    },
  }
}

/** After each event of some types the state changes further. */
export const after = <Type extends EventType>(
  types: Type | readonly Type[],
  change: (queue: Queue, event: EventOf<Type>) => void,
): EngineParts => keeping(types, (queue, event) => () => change(queue, event))

/** What `before` returns is called after each event of some types, and puts back a part of the state. */
export function keeping<Type extends EventType>(
  types: Type | readonly Type[],
  before: (queue: Queue, event: EventOf<Type>) => (() => void) | undefined,
): EngineParts {
  const meant = new Set<string>([types].flat())
  const isMeant = (event: Event): event is EventOf<Type> => meant.has(event.type)
  return {
    ...engineParts,
    evolve(queue, event) {
      const putBack = isMeant(event) ? before(queue, event) : undefined
      engineParts.evolve(queue, event)
      putBack?.()
    },
  }
}
