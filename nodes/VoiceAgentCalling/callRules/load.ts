/** Imports the checks on first use: n8n does not need them to describe the node. */
export async function readiness() {
	return await import('./checks.js');
}
