import type * as wire from '../contract/wire.ts'
import { done, withOwnHost, type Operation } from './operation.ts'

/** The queue asks its clients for each merge from now on. */
export const attachCodeHost: Operation<wire.AttachCodeHost, wire.Nothing> = (context, body) =>
  withOwnHost(context, body, ({ name }) => {
    return done(context.manager.send(name, { type: 'attachHost', codeHost: body.codeHost }))
  })
