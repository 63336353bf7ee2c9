import type * as wire from '../contract/wire.ts'
import { given } from './given.ts'
import { done, withOwnHost, type Operation } from './operation.ts'

/** Somebody pushed to the target branch: all are tested again. */
export const reportPush: Operation<wire.ReportPush, wire.Nothing> = (context, body) =>
  withOwnHost(context, body, ({ name }) => {
    const { commit } = body
    return done(context.manager.send(name, { type: 'reportPush', ...given({ commit }) }))
  })
