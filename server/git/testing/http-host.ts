/** Serves bare repositories over HTTP with `git http-backend`, and can lose an answer. */

import { createServer } from 'node:http'
import { listening } from '../../testing/listening.ts'
import { answerGit, type Cut } from './git-backend.ts'

export type HttpHost = {
  readonly url: string
  /** Cuts the next pushes. Git itself repeats a push that got no answer. */
  readonly cutPushes: (when: Cut, times: number) => void
  /** Done before the next answers about refs and commits, one each. */
  readonly beforeReads: (() => unknown)[]
}

/** The host stops at the end of the test. */
export async function hostOverHttp(root: string): Promise<HttpHost> {
  let toCut: { readonly when: Cut; readonly times: number } = { when: 'before', times: 0 }
  const beforeReads: (() => unknown)[] = []
  const server = createServer((request, response) => {
    const isPush = request.method === 'POST' && request.url?.endsWith('/git-receive-pack')
    const isRead = request.method === 'POST' && request.url?.endsWith('/git-upload-pack')
    const cut = isPush === true && toCut.times > 0 ? toCut.when : null
    if (cut) toCut = { when: cut, times: toCut.times - 1 }
    const act = isRead === true ? beforeReads.shift() : undefined
    const acting = Promise.resolve(act?.())
    void acting.then(() => answerGit(root, request, { response, cut }))
  })
  const port = await listening(server)
  const cutPushes = (when: Cut, times: number): void => void (toCut = { when, times })
  return { url: `http://127.0.0.1:${port}`, cutPushes, beforeReads }
}
