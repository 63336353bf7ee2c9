import type * as wire from '../contract/wire.ts'
import { given } from './given.ts'
import { done, withOwnHost, type Operation } from './operation.ts'

/** The code host has merged what was asked for, or has not. */
export const finishMerge: Operation<wire.FinishMerge, wire.Nothing> = (context, body) =>
  withOwnHost(context, body, ({ name }) => {
    const { pr, outcome, reason = 'GITHUB_API_MERGE_PR_FAILED', numbers, commits } = body
    const refusals = { merged: null, refused: reason, targetMoved: 'TARGET_BRANCH_MOVED' } as const
    return done(
      context.manager.send(name, {
        type: 'finishMerge',
        number: Number(pr.number),
        refused: refusals[outcome],
        ...given({ numbers: numbers?.map(Number), commits }),
      }),
    )
  })
