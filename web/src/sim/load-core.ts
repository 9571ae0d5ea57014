/** Loads and compiles the core, on the thread of the page or of a worker. */

async function compile(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok)
    throw new Error(`the core did not load: ${String(response.status)} ${response.statusText}`);
  // Some hosts do not send the right type for the file.
  const isNamed = response.headers.get('Content-Type') === 'application/wasm';
  return isNamed
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

/** The core of the page. */
export async function compiled(): Promise<WebAssembly.Module> {
  return compile(await fetch(new URL('./pkg/sim_wasm_bg.wasm', import.meta.url)));
}

/** Another one. */
export async function compiledAt(address: URL): Promise<WebAssembly.Module> {
  return compile(await fetch(address));
}
