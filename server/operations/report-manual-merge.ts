import type * as wire from '../contract/wire.ts'
import { given } from './given.ts'
import { done, withOwnHost, type Operation } from './operation.ts'

/** Somebody merged the pull request by hand. */
export const reportManualMerge: Operation<wire.ReportManualMerge, wire.Nothing> = (context, body) =>
  withOwnHost(context, body, ({ name }) => {
    const { pr, commit } = body
    const number = Number(pr.number)
    return done(
      context.manager.send(name, { type: 'reportManualMerge', number, ...given({ commit }) }),
    )
  })
