/** Marks a text as CSS, for the formatter. */
export const css = String.raw
