/** The line as a moving picture: who waits, who is tested in which slot, who has left. */

import { useMemo } from 'preact/hooks'
import type { ReadonlySignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { TerminalState } from '../../../../engine/index.ts'
import type { Look } from '../../parts/looks.ts'
import { count } from '../../../../sim/terminal/text.ts'
import { Group, LeftChips } from './chips.tsx'
import { Controls } from './controls.tsx'
import { Player } from './player.ts'
import type { Reel, Scene } from '../film/scene.ts'
import { Slots } from './slots.tsx'
import { sentenceOf } from './words.ts'

/** More chips of those that wait only make the page long. */
const mostWaiting = 40

const leftLooks: Readonly<Record<TerminalState, Look>> = {
  MERGED: 'merged',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
}

type Props = {
  readonly reel: ReadonlySignal<Reel | null>
  /** True while a newer film is made. */
  readonly isStale: ReadonlySignal<boolean>
}

export function Picture(props: Props): VNode {
  const isStill = useMemo(() => matchMedia('(prefers-reduced-motion: reduce)').matches, [])
  const player = useMemo(() => new Player(props.reel, { isStill }), [props.reel])
  const reel = props.reel.value
  const scene = player.scene.value
  return (
    <section
      class={`card picture${props.isStale.value ? ' is-stale' : ''}`}
      aria-labelledby="picture-title"
      aria-busy={props.isStale.value}
    >
      <h2 id="picture-title">The line</h2>
      {reel && scene ? (
        <>
          <p class="sentence">{sentenceOf(scene)}</p>
          <Controls player={player} film={reel.film} scene={scene} isStill={isStill} />
          <Stage scene={scene} />
          {reel.film.leftOut > 0 && (
            <p class="soft">
              {count(reel.film.leftOut)} more pull requests are simulated and not drawn.
            </p>
          )}
        </>
      ) : (
        <p class="soft">Simulating…</p>
      )}
    </section>
  )
}

function endings({ counts: { MERGED, FAILED, CANCELLED } }: Scene): string {
  const cancelled = CANCELLED > 0 ? `, ${count(CANCELLED)} cancelled` : ''
  return `${count(MERGED)} merged, ${count(FAILED)} failed${cancelled}`
}

function Stage({ scene }: { scene: Scene }): VNode {
  const { notReady, waiting, testing, passed, held, bisecting } = scene.resting
  const left = scene.left.map(({ number, end, at }) => ({ number, look: leftLooks[end], at }))
  return (
    <div class="stage">
      <div class="before">
        <Group
          title="Waiting"
          numbers={[...testing, ...waiting]}
          look="waiting"
          most={mostWaiting}
        />
        {notReady.length > 0 && (
          <Group title="Not ready" numbers={notReady} look="not-ready" most={mostWaiting} />
        )}
      </div>
      <div class="under-test">
        <h3>Tested</h3>
        <Slots scene={scene} />
      </div>
      <div class="after">
        {passed.length > 0 && (
          <Group title="Passed, behind others" numbers={passed} look="passed" most={mostWaiting} />
        )}
        {held.length > 0 && (
          <Group title="Failed, not final yet" numbers={held} look="held" most={mostWaiting} />
        )}
        {bisecting.length > 0 && (
          <Group title="Being bisected" numbers={bisecting} look="bisecting" most={mostWaiting} />
        )}
        <div class="group">
          <h3>
            Left <span class="soft">{endings(scene)}</span>
          </h3>
          <LeftChips left={left} />
        </div>
      </div>
    </div>
  )
}
