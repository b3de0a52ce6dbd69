// Runs before the page is painted: a chosen theme does not flash the other one first.
document.documentElement.style.colorScheme = localStorage.getItem('theme') ?? '';
