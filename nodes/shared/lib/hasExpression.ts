/** Whether a parameter as n8n stores it has an expression, at any depth. */
export function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') {
		return value.startsWith('=');
	}
	return typeof value === 'object' && value !== null && Object.values(value).some(hasExpression);
}
