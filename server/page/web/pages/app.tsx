/** The whole page. */

import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import type { QueueGlance, QueueList } from '../../frame.ts'
import { estimateWords } from '../components/time-words.ts'
import { shownText } from '../components/shown-text.ts'
import { Dialogs } from '../dialogs/dialogs.tsx'
import { SendForm } from '../dialogs/frame.tsx'
import { TheLine } from '../line/the-line.tsx'
import { useAnswer } from '../model/ask.ts'
import { goInstead, queuePath, route } from '../model/route.ts'
import {
  hasExpired,
  isSigningIn,
  mayAdminister,
  maySee,
  maySubmit,
  me,
  meError,
  signIn,
  signOut,
} from '../model/session.ts'
import { saying, liveness, pageState, unwatch, watch, serverNow } from '../model/watched-queue.ts'
import { Ask, queueName, At, Foreign, Refusal } from '../texts/texts.tsx'
import { PullRequestView } from '../pull-request/pull-request-view.tsx'
import { RunView } from '../pull-request/run-view.tsx'
import { Answer } from '../queue/answer.tsx'
import { Banners, Opening } from '../queue/banners.tsx'
import { Ended, WaitingTable, Yours } from '../queue/lists.tsx'
import { Find } from '../queue/find.tsx'
import { queueStates } from '../state/consequences.ts'
import { leftLately } from '../state/fold.ts'
import { TrendCards } from '../trends/trend-cards.tsx'

export function App(): VNode {
  const place = route.value
  const queue = 'queue' in place && maySee.value ? place.queue : null
  useEffect(() => {
    if (queue === null) unwatch()
    else watch(queue)
  }, [queue])
  const sequence = pageState.value?.sequence
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Top />
      <main
        id="content"
        tabIndex={-1}
        {...(sequence === undefined ? {} : { 'data-sequence': sequence })}
      >
        <Content />
      </main>
      <p class="unseen" role="status" aria-live="polite">
        {saying}
      </p>
      <Dialogs />
    </>
  )
}

function Content(): VNode {
  const place = route.value
  if (me.value === null) {
    const error = meError.value
    return error === null ? <p class="soft">Loading…</p> : <Refusal error={error} />
  }
  if (!maySee.value || isSigningIn.value) return <SignIn />
  switch (place.page) {
    case 'queues':
      return <Chooser />
    case 'queue':
      return <QueuePage />
    case 'pull request':
      return <PullRequestView key={`${place.queue} ${place.number}`} number={place.number} />
    case 'run':
      return <RunView key={`${place.queue} ${place.run}`} run={place.run} />
    case 'unknown':
      return (
        <>
          <h1>No such page</h1>
          <p>
            <a href="/">All queues</a>
          </p>
        </>
      )
  }
}

// The page of a queue: the answer first, then what is yours, the line, and the rest.

function QueuePage(): VNode {
  const state = pageState.value
  if (!state) return <Opening />
  return (
    <>
      <h1 class="unseen">
        Queue <bdi>{queueName(state.queue)}</bdi>
      </h1>
      <Banners queue={state.queue} />
      <Answer state={state} />
      <Yours state={state} />
      <TheLine state={state} />
      <WaitingTable state={state} />
      <div class="halves">
        <Ended rows={leftLately(state)} />
        <TrendCards />
      </div>
    </>
  )
}

// The list of queues that the reader may see.

const chooserMs = 5_000

function Chooser(): VNode {
  const found = useAnswer<QueueList>('/page/queues', () => [
    Math.floor(serverNow.value / chooserMs),
  ])
  const queues = found?.body?.queues ?? null
  const only = queues?.length === 1 ? queues[0]?.id : undefined
  useEffect(() => {
    // There is nothing to choose.
    if (only !== undefined) goInstead(queuePath(only))
  }, [only])
  return (
    <section class="chooser" aria-labelledby="queues">
      <h1 id="queues">Queues</h1>
      <Refusal error={found?.refusal?.error} />
      {queues !== null && only === undefined && <QueueItems queues={queues} />}
    </section>
  )
}

function QueueItems({ queues }: { queues: readonly QueueGlance[] }): VNode {
  if (queues.length === 0) {
    return (
      <p>
        There is no queue that you may see. An operator makes one with the operation{' '}
        <code>createQueue</code> of the <a href="/docs">API</a>, or with{' '}
        <code>mergeyard serve</code>.
      </p>
    )
  }
  return (
    <ul class="queues">
      {queues.map((queue) => (
        <li key={queue.id}>
          <a class="sheet" href={queuePath(queue.id)} data-row={queue.id}>
            <b>
              <bdi>{queueName(queue)}</bdi>
            </b>
            <span class="soft">
              <Foreign text={queue.host} />
            </span>
            <span class={queue.state === 'RUNNING' ? 'soft' : 'warn'}>
              {queueStates[queue.state].word}, {queue.slotsUsed} of {queue.concurrency} slots used
            </span>
            <Glance queue={queue} />
            {queue.faults.slice(0, 1).map((fault) => (
              <span class="bad" key={fault}>
                not ready: <Foreign text={fault} />
              </span>
            ))}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Who is in it, who lands next, and who failed last. */
function Glance({ queue: { inLine, waits, next, lastFailure } }: { queue: QueueGlance }): VNode {
  const lands = next ? estimateWords(next.estimate, serverNow.value) : null
  return (
    <>
      <span>
        <b>{inLine.toLocaleString('en-GB')}</b> in the line, <b>{waits.toLocaleString('en-GB')}</b>{' '}
        {waits === 1 ? 'waits' : 'wait'}
      </span>
      <span class="soft">
        {next ? `next: #${next.number}` : 'nobody lands next'}
        {lands !== null && lands.range !== null && `, ${lands.short}`}
      </span>
      {lastFailure && (
        <span class="soft">
          last failure: #{lastFailure.number}, <At instant={lastFailure.since} />.{' '}
          <Foreign text={lastFailure.why} />
        </span>
      )}
    </>
  )
}

// Signing in with a token. The server gives a cookie for it that no script can read.

function SignIn(): VNode {
  const token = useSignal('')
  const back = (): void => {
    isSigningIn.value = false
  }
  return (
    <section class="sign-in sheet" aria-labelledby="sign-in">
      <h1 id="sign-in">Sign in</h1>
      {hasExpired.value && <p class="warn">Your session has ended. Sign in again to go on.</p>}
      <SendForm
        send={() => signIn(token.value.trim())}
        words={['Sign in', 'Signing in…']}
        onBack={maySee.value ? ['Back', back] : null}
      >
        {/* Lets a password manager keep the token. */}
        <input
          type="text"
          name="username"
          autocomplete="username"
          value="mergeyard"
          aria-label="Name"
          hidden
        />
        <label class="field row">
          Token
          <input
            type="password"
            name="token"
            autocomplete="current-password"
            required
            spellcheck={false}
            value={token.value}
            onInput={(event) => (token.value = event.currentTarget.value)}
          />
        </label>
      </SendForm>
      <p class="soft small">
        <code>mergeyard serve</code> prints a token when it starts in a terminal. An operator makes
        others with <code>mergeyard token create</code>. With the scope <code>read</code> it may
        look, with <code>submit</code> also submit and cancel, with <code>admin</code> also pause
        queues and change settings.
      </p>
    </section>
  )
}

// The top of every page: where the reader is, whether the page is live, who is signed in.

function Top(): VNode {
  const state = pageState.value
  return (
    <header class="top row">
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
      {state && maySubmit.value && <Ask about={{ about: 'submission' }}>Submit…</Ask>}
      {state && mayAdminister.value && <Ask about={{ about: 'queue' }}>Queue…</Ask>}
      <Ask about={{ about: 'help' }} class="icon" aria-label="Help and keys">
        ?
      </Ask>
      <Who />
    </header>
  )
}

function Live(): VNode {
  const { kind } = liveness.value
  const word = kind === 'live' ? 'live' : kind === 'opening' ? 'connecting' : 'not live'
  return <span class={`live small soft is-${kind}`}>{word}</span>
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
        <bdi class="soft cut" title="The name of your token">
          {shownText(now.tokenName)}
        </bdi>
      )}
      <button type="button" onClick={() => void signOut()}>
        Sign out
      </button>
    </span>
  )
}
