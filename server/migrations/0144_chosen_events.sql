-- Which extensions there are is a fact of the contract; an event that an application chooses is one of them, too.
alter table application_extensions drop constraint application_extensions_extension_check;
