// URL.parse is the youngest of what the pages need. Without it they stay empty, or fail later.
if (!URL.parse) {
  const told = document.createElement('p');
  told.style.padding = '1rem';
  told.append('This browser is too old for this page. Please update it. ');
  const german = document.createElement('span');
  german.lang = 'de';
  german.append('Dieser Browser ist zu alt für diese Seite. Bitte aktualisiere ihn.');
  told.append(german);
  document.body.prepend(told);
}
