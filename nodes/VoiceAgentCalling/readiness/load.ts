/** Imports the checks on first use: n8n does not need them to describe the node. */
export async function readiness() {
	return await import('./checks.js');
}

/** Imports the user's rules for calls on first use. */
export async function callRules() {
	return await import('./mayCall.js');
}
