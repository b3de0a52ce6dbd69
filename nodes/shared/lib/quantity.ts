/** A number with what is counted: `1 error`, `2 errors`. */
export function quantity(count: number, what: string): string {
	return `${count} ${what}${count === 1 ? '' : 's'}`;
}
