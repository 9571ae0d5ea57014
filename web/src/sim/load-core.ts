/** Loads and compiles the core, on the thread of the page or of a worker. */
export async function compiled(): Promise<WebAssembly.Module> {
  const response = await fetch(new URL('./pkg/sim_wasm_bg.wasm', import.meta.url));
  if (!response.ok)
    throw new Error(`the core did not load: ${String(response.status)} ${response.statusText}`);
  // Some hosts do not send the right type for the file.
  const isNamed = response.headers.get('Content-Type') === 'application/wasm';
  return isNamed
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}
