/** Defects of stacks: who depends on whom, when it starts, and what leaves with whom. */

import { engineParts, failureOfTip, rules } from '../../engine/index.ts'
import type { EngineParts, QueueView, Step } from '../../engine/index.ts'
import {
  alteringAllEvents,
  alteringDecisions,
  deciding,
  decidingOn,
  decidingOnMisreadQueue,
  ofType,
  engineWithRules,
  misreadingFor,
  misreadingQueue,
  misreadQueue,
  reading,
  withMisreadQueue,
  without,
} from '../run/altered-engines.ts'
import type { Defects } from './hunt.ts'

type Hidden = (below: readonly number[], home: Home) => boolean
type Home = QueueView['pullRequests'][number]['home']

/** Nobody depends on anybody, or only those of which this is not said. */
const unstacked = ({ pullRequests }: QueueView, isHidden: Hidden = () => true) => ({
  pullRequests: new Proxy(pullRequests, {
    get(all, key): unknown {
      const one = typeof key === 'string' ? all[Number(key)] : undefined
      if (!one?.dependsOn || !isHidden(one.dependsOn, one.home)) return Reflect.get(all, key)
      return new Proxy(one, {
        get: (each, field): unknown =>
          field === 'dependsOn' ? undefined : Reflect.get(each, field),
      })
    },
  }),
})

/** What each depends on is in the line. */
const ifAllInLine = (queue: QueueView): Partial<QueueView> =>
  unstacked(queue, (below) => below.every((one) => queue.pullRequests[one]?.home.in === 'group'))

/** No member of a bisection depends on anybody. */
const ifInBisection = (queue: QueueView): Partial<QueueView> =>
  unstacked(queue, (_below, home) => home.in === 'bisection')

/** The engine that starts runs as if nobody depended on anybody, at some times. */
const startingUnstacked = (isMeant: (step: Step) => boolean): EngineParts =>
  engineWithRules({
    startWaiting: (step) => {
      const queue = isMeant(step) ? misreadQueue(step.queue, unstacked) : step.queue
      return rules.startWaiting({ ...step, queue })
    },
  })

/** A group of the line waits for a retry or for the branch. */
const isHeldBack = ({ queue, at }: Step): boolean =>
  failureOfTip(queue) !== null ||
  Object.values(queue.groups).some(
    ({ phase }) => phase.kind === 'waiting' && (phase.retry?.notBefore ?? 0) > at,
  )

export const stackingDefects: Defects = {
  'depends-on-itself': [
    'A pull request that would depend on itself is admitted, and depends on nobody.',
    decidingOn('submitPullRequest', (step, command) => {
      const rejection = engineParts.decide(step, command)
      return rejection?.code === 'depends on itself'
        ? engineParts.decide(step, { ...command, dependsOn: [] })
        : rejection
    }),
  ],
  'other-dependencies-ignored': [
    'A pull request in the queue that is submitted with others to depend on keeps its own.',
    reading('submitPullRequest', (command, { pullRequests }) => {
      const isKnown = pullRequests[command.number]?.home.in === 'order'
      return isKnown ? without(command, 'dependsOn') : command
    }),
  ],
  'ready-without-what-it-depends-on': [
    'A pull request is ready although what it depends on is neither merged nor ready.',
    alteringAllEvents(
      ofType('pullRequestSubmitted', (event) =>
        event.state === 'NOT_READY' && event.dependsOn ? { ...event, state: 'PENDING' } : event,
      ),
    ),
  ],
  'direct-merge-past-what-it-depends-on': [
    'A pull request that is green on the tip merges before what it depends on.',
    misreadingQueue('mergeDirectly', unstacked),
  ],
  'turn-before-what-it-depends-on': [
    'A pull request keeps its turn, although what it depends on was submitted later.',
    alteringAllEvents(ofType('pullRequestMoved', (event) => without(event, 'turn'))),
  ],
  'less-urgent-below': [
    'What an urgent pull request depends on keeps its priority.',
    alteringDecisions((event, _queue, command) => {
      const isOwn = 'number' in command && 'number' in event && event.number === command.number
      return event.type !== 'pullRequestRewritten' || isOwn ? [event] : []
    }),
  ],
  'urgent-past-what-it-depends-on': [
    'An urgent pull request enters the line ahead of what it depends on.',
    misreadingQueue('interruptForUrgent', unstacked),
  ],
  'stays-without-what-it-depends-on': [
    'When one leaves, those that depend on it stay in the queue.',
    alteringAllEvents(
      ofType('pullRequestMoved', (event) => (event.leftWith === undefined ? event : null)),
    ),
  ],
  'leaves-without-a-name': [
    'One that leaves because of what it depends on does not name it.',
    alteringAllEvents(ofType('pullRequestMoved', (event) => without(event, 'leftWith'))),
  ],
  'screened-without-what-it-depends-on': [
    'If adaptive, a pull request is tested on the branch alone, without what it depends on.',
    misreadingQueue('startWaiting', ifAllInLine),
  ],
  'tested-without-what-it-depends-on': [
    'A pull request is tested although what it depends on is not below it.',
    startingUnstacked(({ queue }) => queue.configuration.policy !== 'adaptive'),
  ],
  'tested-upon-without-what-it-depends-on': [
    'While a group may not start, others stand on it although what it depends on is not below it.',
    startingUnstacked(isHeldBack),
  ],
  'enters-before-what-it-depends-on': [
    'In parallel mode a pull request enters the line before what it depends on.',
    misreadingQueue('formGroup', unstacked),
  ],
  'merged-below-counts-as-a-conflict': [
    'A pull request that waits for what it depends on is FAILED when that has merged.',
    misreadingQueue('settleConflict', unstacked),
  ],
  'stays-in-a-bisection-without-what-it-depends-on': [
    'When one goes back to the line, those that depend on it stay in its bisection.',
    {
      ...deciding((step, command) =>
        command.type === 'submitPullRequest'
          ? engineParts.decide(step, command)
          : decidingOnMisreadQueue(ifInBisection).decide(step, command),
      ),
      rules: engineParts.rules.map((rule) => withMisreadQueue(rule, ifInBisection)),
    },
  ],
  'forgets-what-others-depend-on': [
    'A merged pull request is forgotten although somebody in the queue depends on it.',
    misreadingFor('forget', () => ({ dependents: {} })),
  ],
  'targets-of-its-own': [
    'A pull request does not impact the targets that what it depends on impacts.',
    misreadingFor('setImpactedTargets', (queue) => ({ ...unstacked(queue), dependents: {} })),
  ],
}
