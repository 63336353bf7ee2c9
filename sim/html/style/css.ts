/** Marks a text as CSS, so that the formatter formats it. */
export const css = String.raw
