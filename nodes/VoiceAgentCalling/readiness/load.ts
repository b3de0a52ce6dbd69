/** The checks, loaded on first use: describing the node needs none. */
export async function readiness() {
	return await import('./checks.js');
}
