/** The pull requests and events of a scenario as commands for the engine. */

import { urgentPriority, type CancelReason, type CommandBody } from '../../engine/index.ts'
import type { Priority, PullRequestEntry, ScenarioEvent } from '../scenario/scenario.ts'
import { toMillis } from '../scenario/time.ts'

/** The values of the named priorities, as in the API. */
const priorityValues = { urgent: urgentPriority, high: 10, medium: 100, low: 200 } as const

const cancelReasons = {
  cancel: 'USER_REQUESTED',
  push: 'PR_PUSHED_TO',
  close: 'PR_CLOSED',
  convertToDraft: 'PR_CONVERTED_TO_DRAFT',
  changeBase: 'PR_BASE_BRANCH_CHANGED',
} as const satisfies Record<string, CancelReason>

/** The commands of a first submission: the facts about the pull request, then the submission. */
export function submission(entry: PullRequestEntry): CommandBody[] {
  return [...knownOf(entry), submit(entry)]
}

/** Reports the facts about a pull request that the code host and the build know. */
export function knownOf(entry: PullRequestEntry): CommandBody[] {
  const { number, targets, greenOnTip, conflictsWith = [] } = entry
  const commands: CommandBody[] = []
  if (conflictsWith.length > 0 || greenOnTip) {
    commands.push({
      type: 'reportPullRequest',
      number,
      ...(greenOnTip ? { greenOnTip } : {}),
      ...(conflictsWith.length > 0 ? { conflictsWith } : {}),
    })
  }
  if (targets !== undefined) commands.push({ type: 'setImpactedTargets', number, targets })
  return commands
}

type SubmissionFields = {
  readonly number: number
  readonly priority?: Priority
  readonly noBatch?: boolean
  readonly sha?: string
  readonly dependsOn?: readonly number[]
}

function submit({ number, priority, noBatch, sha, dependsOn }: SubmissionFields): CommandBody {
  return {
    type: 'submitPullRequest',
    number,
    ...(sha === undefined ? {} : { sha }),
    ...(priority === undefined ? {} : { priority: valueOf(priority) }),
    ...(noBatch === undefined ? {} : { noBatch }),
    ...(dependsOn === undefined ? {} : { dependsOn }),
  }
}

const valueOf = (priority: Priority): number =>
  typeof priority === 'number' ? priority : priorityValues[priority]

type Departure = Extract<ScenarioEvent, { readonly do: keyof typeof cancelReasons }>
type OfQuarantine = Extract<ScenarioEvent, { readonly test: string }>

/** Whether the event takes a pull request out. */
const isDeparture = (event: ScenarioEvent): event is Departure => event.do in cancelReasons

function ofQuarantine(event: OfQuarantine): CommandBody {
  const test = { name: event.test }
  if (event.do === 'release') return { type: 'releaseTest', test }
  const { until } = event
  return {
    type: 'quarantineTest',
    test,
    ...(until === undefined ? {} : { until: toMillis(until) }),
  }
}

/** The command of a scenario event. */
export function commandOf(event: ScenarioEvent): CommandBody {
  if ('test' in event) return ofQuarantine(event)
  if (isDeparture(event))
    return { type: 'cancelPullRequest', number: event.number, reason: cancelReasons[event.do] }
  switch (event.do) {
    case 'submit':
      return submit(event)
    case 'restart':
      return { type: 'restartTests', number: event.number }
    case 'forget':
      return { type: 'forget', numbers: [event.number] }
    case 'manualMerge':
      return { type: 'reportManualMerge', number: event.number }
    case 'setImpactedTargets':
      return { type: 'setImpactedTargets', number: event.number, targets: event.targets }
    case 'setMergeable':
      return { type: 'reportPullRequest', number: event.number, mergeable: event.mergeable }
    case 'pushToBranch':
      return { type: 'reportPush' }
    case 'attachHost':
      return { type: 'attachHost', codeHost: event.codeHost }
    case 'updateQueue':
      return { type: 'updateQueue', set: event.set }
  }
}
