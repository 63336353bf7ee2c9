/** The window of Zuul's dependent pipeline: how many items from the head may be tested. */

type WindowChange = 'linear' | 'exponential'

export type ZuulParameters = {
  /** The window at the start. */
  readonly window: number
  readonly floor: number
  /** Null for no limit. */
  readonly ceiling: number | null
  readonly increaseType: WindowChange
  readonly increaseFactor: number
  readonly decreaseType: WindowChange
  readonly decreaseFactor: number
}

export const zuulDefaults: ZuulParameters = {
  window: 20,
  floor: 3,
  ceiling: null,
  increaseType: 'linear',
  increaseFactor: 1,
  decreaseType: 'exponential',
  decreaseFactor: 2,
}

/** A bad day never leaves fewer than ten under test. */
export const zuulFloorOfTen: ZuulParameters = { ...zuulDefaults, floor: 10 }

/** A window of 0 in its configuration: nothing but the slots limits how many are tested. */
export const zuulWithoutWindow: ZuulParameters = {
  ...zuulDefaults,
  window: Infinity,
  floor: Infinity,
}

export const zuulWindow = {
  /** It grows by the factor, or times the factor, up to the ceiling. */
  afterMerge(window: number, parameters: ZuulParameters): number {
    const { increaseType, increaseFactor, ceiling } = parameters
    const larger = increaseType === 'linear' ? window + increaseFactor : window * increaseFactor
    return Math.min(ceiling ?? Infinity, larger)
  },

  /** It shrinks by the factor, or is divided by it, down to the floor. */
  afterFailure(window: number, { decreaseType, decreaseFactor, floor }: ZuulParameters): number {
    const smaller = decreaseType === 'linear' ? window - decreaseFactor : window / decreaseFactor
    return Math.max(floor, Math.floor(smaller))
  },
}
