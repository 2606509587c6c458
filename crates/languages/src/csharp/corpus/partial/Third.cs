namespace App
{
    public partial class Form
    {
        public partial class Part
        {
            private void Cut() {}
        }
    }

    class Main
    {
        void Run(Form form)
        {
            form.Show(); // calls Second.cs:Window.Show
            form.Dispose(); // calls First.cs:Form.Dispose
            var made = new Form(); // calls First.cs:Form.Form
            made.Show(); // calls Second.cs:Window.Show
            new Form.Part().Fit(); // calls Second.cs:Form.Part.Fit, Second.cs:Form.Part
        }
    }
}
