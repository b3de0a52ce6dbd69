const changed = new Map<string, string | undefined>();

/** Sets environment variables of n8n, until {@link restoreEnvironment}. jest gives its tests only a copy of them. */
export function setEnvironment(variables: Readonly<Record<string, string>>): void {
	for (const [name, value] of Object.entries(variables)) {
		if (!changed.has(name)) {
			changed.set(name, process.env[name]);
		}
		process.env[name] = value;
	}
}

export function restoreEnvironment(): void {
	for (const [name, value] of changed) {
		if (value === undefined) {
			delete process.env[name];
		} else {
			process.env[name] = value;
		}
	}
	changed.clear();
}
