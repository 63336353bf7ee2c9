/** The text of a stream. Throws as soon as it is longer than allowed. */
export async function checkedText(
  stream: ReadableStream<Uint8Array>,
  mostBytes: number,
): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const reader = stream.getReader()
  let text = ''
  let bytes = 0
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    bytes += piece.value.length
    if (bytes > mostBytes) {
      await reader.cancel()
      throw new Error(`longer than ${mostBytes} bytes`)
    }
    text += decoder.decode(piece.value, { stream: true })
  }
  return text + decoder.decode()
}
