/** The top of every page: where the reader is, whether the page is live, who is signed in. */

import type { VNode } from 'preact'
import { shownText } from '../../parts/shown-text.ts'
import { question } from '../model/act.ts'
import { queuePath, route } from '../model/route.ts'
import { isSigningIn, mayAdminister, maySee, maySubmit, me, signOut } from '../model/session.ts'
import { liveness, pageState } from '../model/watched-queue.ts'
import { Find } from '../queue/find.tsx'
import { queueName } from '../pieces/queue-name.ts'

export function Top(): VNode {
  const state = pageState.value
  return (
    <header class="top">
      <a class="brand" href="/">
        Mergeyard
      </a>
      {state && (
        <a class="place" href={queuePath(state.queue.id)}>
          <bdi>{queueName(state.queue)}</bdi>
        </a>
      )}
      {'queue' in route.value && maySee.value && <Live />}
      <span class="grow" />
      {state && <Find state={state} />}
      {state && maySubmit.value && (
        <button type="button" onClick={() => (question.value = { about: 'submission' })}>
          Submit…
        </button>
      )}
      {state && mayAdminister.value && (
        <button type="button" onClick={() => (question.value = { about: 'queue' })}>
          Queue…
        </button>
      )}
      <button
        type="button"
        class="icon"
        aria-label="Help and keys"
        onClick={() => (question.value = { about: 'help' })}
      >
        ?
      </button>
      <Who />
    </header>
  )
}

function Live(): VNode {
  const { kind } = liveness.value
  const word = kind === 'live' ? 'live' : kind === 'opening' ? 'connecting' : 'not live'
  return <span class={`live is-${kind}`}>{word}</span>
}

function Who(): VNode | null {
  const now = me.value
  if (!now) return null
  if (!now.signedIn) {
    if (!maySee.value || isSigningIn.value) return null
    return (
      <button type="button" class="who" onClick={() => (isSigningIn.value = true)}>
        Sign in
      </button>
    )
  }
  return (
    <span class="who">
      {now.tokenName !== null && (
        <bdi title="The name of your token">{shownText(now.tokenName)}</bdi>
      )}
      <button type="button" onClick={() => void signOut()}>
        Sign out
      </button>
    </span>
  )
}
