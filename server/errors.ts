/** Why a command or a question is refused: one table from the reason to the status and the text. */

import type { Rejection } from '../engine/index.ts'
import type { Refusal } from './http/answer.ts'
import { shown } from './http/shown.ts'
import { nameOfRepository, type QueueRef, type Repository } from './yard/queue-ref.ts'
import type { YardRejection } from './yard/register.ts'

/** Refused before any command was made of it. */
export type OperationRejection =
  | { readonly code: 'never submitted'; readonly number: number }
  | { readonly code: 'no such test run'; readonly testRun: string }
  | { readonly code: 'no such repository'; readonly repository: Repository }
  | { readonly code: 'contradiction'; readonly text: string }

export type AnyRejection = Rejection | YardRejection | OperationRejection

type Code = AnyRejection['code']
type RejectionOf<Wanted extends Code> = Extract<AnyRejection, { code: Wanted }>

const nowhere = (text: string): Refusal => ({ status: 404, text })
const notNow = (text: string): Refusal => ({ status: 400, text })

const refusals: { readonly [Wanted in Code]: (why: RejectionOf<Wanted>) => Refusal } = {
  'no such queue': ({ queue }) =>
    nowhere(`there is no merge queue for branch ${branchOf(queue)} in ${nameOfRepository(queue)}`),
  'no such repository': ({ repository }) =>
    nowhere(`there is no merge queue in ${nameOfRepository(repository)}`),
  'never submitted': ({ number }) => nowhere(`pull request ${number} was never submitted`),
  'not in queue': ({ number }) => nowhere(`pull request ${number} is not in the queue`),
  'no such test run': ({ testRun }) => nowhere(`there is no test run ${shown(testRun)}`),
  'test run is over': () => nowhere('the test run is over'),
  'no such test case': ({ testCase }) =>
    nowhere(`there is no test case ${testCase} in this repository: reports make them known`),
  'queue exists': ({ queue }) => ({
    status: 409,
    text: `A merge queue already exists for branch ${branchOf(queue)} in this repository`,
  }),
  'queue is not empty': ({ count }) =>
    notNow(`the queue holds ${count} pull request${count === 1 ? '' : 's'}: cancel or merge first`),
  'nothing to restart': ({ number, state }) =>
    notNow(`pull request ${number} is ${state} and has no test run to restart`),
  'merge under way': ({ number }) => notNow(`pull request ${number} is being merged`),
  'no merge under way': ({ number }) => notNow(`pull request ${number} is not being merged`),
  'switching modes': () =>
    notNow('the queue is switching modes: write state and mode once it is RUNNING again'),
  'mode change needs RUNNING': ({ state }) =>
    notNow(`with work in the line, mode changes only while the queue is RUNNING; it is ${state}`),
  contradiction: ({ text }) => notNow(text),
}

/** The answer to a request that is refused for this reason. */
export function refusalOf(rejection: AnyRejection): Refusal {
  return refusalFor(rejection.code, rejection)
}

function refusalFor<Wanted extends Code>(code: Wanted, why: RejectionOf<Wanted>): Refusal {
  return refusals[code](why)
}

const branchOf = ({ targetBranch }: QueueRef): string => JSON.stringify(targetBranch)
